//===- ShapeRules.h - Shapes of the primitives ------------------*- C++ -*-===//
//
// One pure function for each primitive that is not trivial. Inference and
// verification in the IR call it, and so does Import, which renders the same
// failure in terms of the source.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_DIALECT_DPL_IR_SHAPERULES_H
#define DPL_DIALECT_DPL_IR_SHAPERULES_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/Twine.h"

#include <optional>

namespace dpl {

using Shape = llvm::SmallVector<int64_t>;

/// Takes the one failure of a shape rule: its code (`conv_channels`) and a
/// sentence with both values, in lower case, without a period.
using ShapeError =
    llvm::function_ref<void(llvm::StringRef code, const llvm::Twine &message)>;

/// How a window lies on the spatial axes; one entry for each of them. See
/// DplWindow.td.
struct Window {
  Shape size, stride, padLow, padHigh, dilation, dilateInput;
  int64_t groups = 1; ///< of channels, in convolutions
  bool channelsLast = false;

  /// A window with stride 1, no padding, and no dilation.
  static Window simple(llvm::ArrayRef<int64_t> size);
  unsigned rank() const { return size.size(); }
  /// Axis of the channels in a tensor of rank() + 1 axes.
  unsigned channelAxis() const { return channelsLast ? rank() : 0; }
  /// Axis number of spatial axis i.
  unsigned spatialAxis(unsigned i) const { return channelsLast ? i : i + 1; }
  /// Axis number of window axis i in a filter.
  unsigned filterAxis(unsigned i) const { return channelsLast ? i : i + 2; }
  unsigned filterInAxis() const { return channelsLast ? rank() : 1; }
  unsigned filterOutAxis() const { return channelsLast ? rank() + 1 : 0; }
  /// Are padding and input dilation absent?
  bool isPlain() const;
  /// Places along axis i from the first tap to the last.
  int64_t span(unsigned i) const { return (size[i] - 1) * dilation[i] + 1; }
};

/// Elements of an axis of length n that are still seen when element i is put
/// at place `low + i * step` and `high` places follow the last: those from
/// `first` on.
struct KeptElements {
  int64_t first, count;
};
KeptElements keptElements(int64_t n, int64_t low, int64_t high, int64_t step);

/// "3x28x28", or "scalar".
std::string describeShape(llvm::ArrayRef<int64_t> shape);

/// False after an error if a tensor of this shape has more elements than any
/// machine holds; products of sizes that pass do not overflow.
bool checkTensorSize(llvm::ArrayRef<int64_t> shape, ShapeError error);

/// Sizes of the spatial axes of a window operation's result.
/// `what` is how a message calls the window, `code` its failure to fit.
mlir::FailureOr<Shape> inferWindowShape(llvm::ArrayRef<int64_t> spatial,
                                        const Window &window,
                                        llvm::StringRef what,
                                        llvm::StringRef code, ShapeError error);

/// False after an error if a number of the window is too small or too large to
/// reckon with.
bool checkWindowNumbers(const Window &window, ShapeError error);

/// Place along one axis of `n` elements of the first window that meets none of
/// them, if there is one. There is no input dilation.
std::optional<int64_t> findEmptyWindow(int64_t n, const Window &window,
                                       unsigned axis);

mlir::FailureOr<Shape> inferConvShape(llvm::ArrayRef<int64_t> x,
                                      llvm::ArrayRef<int64_t> filter,
                                      const Window &window, ShapeError error);
mlir::FailureOr<Shape> inferConvFilterShape(llvm::ArrayRef<int64_t> x,
                                            llvm::ArrayRef<int64_t> cotangent,
                                            const Window &window,
                                            ShapeError error);
mlir::FailureOr<Shape> inferPoolShape(llvm::ArrayRef<int64_t> x,
                                      const Window &window, ShapeError error);
mlir::FailureOr<Shape> inferContractShape(llvm::ArrayRef<int64_t> lhs,
                                          llvm::ArrayRef<int64_t> rhs,
                                          llvm::ArrayRef<int64_t> lhsLabels,
                                          llvm::ArrayRef<int64_t> rhsLabels,
                                          llvm::ArrayRef<int64_t> resultLabels,
                                          ShapeError error);
mlir::FailureOr<Shape> inferReduceShape(llvm::ArrayRef<int64_t> x,
                                        llvm::ArrayRef<int64_t> axes,
                                        ShapeError error);
mlir::FailureOr<Shape> inferReverseShape(llvm::ArrayRef<int64_t> x,
                                         llvm::ArrayRef<int64_t> axes,
                                         ShapeError error);
mlir::FailureOr<Shape> inferReshapeShape(llvm::ArrayRef<int64_t> x,
                                         llvm::ArrayRef<int64_t> shape,
                                         ShapeError error);
mlir::FailureOr<Shape> inferBroadcastShape(llvm::ArrayRef<int64_t> x,
                                           llvm::ArrayRef<int64_t> shape,
                                           llvm::ArrayRef<int64_t> axes,
                                           ShapeError error);
mlir::FailureOr<Shape> inferTransposeShape(llvm::ArrayRef<int64_t> x,
                                           llvm::ArrayRef<int64_t> permutation,
                                           ShapeError error);
mlir::FailureOr<Shape> inferSliceShape(llvm::ArrayRef<int64_t> x,
                                       llvm::ArrayRef<int64_t> start,
                                       llvm::ArrayRef<int64_t> size,
                                       llvm::ArrayRef<int64_t> step,
                                       ShapeError error);
mlir::FailureOr<Shape> inferPadShape(llvm::ArrayRef<int64_t> x,
                                     llvm::ArrayRef<int64_t> low,
                                     llvm::ArrayRef<int64_t> high,
                                     llvm::ArrayRef<int64_t> interior,
                                     ShapeError error);
/// `parts` are the shapes that are joined along `axis`.
mlir::FailureOr<Shape> inferConcatShape(llvm::ArrayRef<Shape> parts,
                                        int64_t axis, ShapeError error);
mlir::FailureOr<Shape> inferTakeShape(llvm::ArrayRef<int64_t> x,
                                      llvm::ArrayRef<int64_t> indices,
                                      int64_t axis, ShapeError error);
mlir::FailureOr<Shape> inferScatterShape(llvm::ArrayRef<int64_t> x,
                                         llvm::ArrayRef<int64_t> indices,
                                         int64_t axis, int64_t length,
                                         ShapeError error);

/// The shape of elementwise operands under the broadcast rule of the language:
/// a scalar; equal rank with sizes equal or 1; otherwise an exact suffix.
mlir::FailureOr<Shape> inferLanguageBroadcast(llvm::ArrayRef<int64_t> lhs,
                                              llvm::ArrayRef<int64_t> rhs,
                                              ShapeError error);

} // namespace dpl

#endif // DPL_DIALECT_DPL_IR_SHAPERULES_H
