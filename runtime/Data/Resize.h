//===- Data/Resize.h - Pictures of another size -----------------*- C++ -*-===//

#ifndef DPL_RUNTIME_DATA_RESIZE_H
#define DPL_RUNTIME_DATA_RESIZE_H

#include "runtime/Data/Transform.h"

namespace dpl::rt {

/// `resize(size)`: a u8 field [channels, rows, columns] gets `size` as its rows
/// and columns. Bilinear; where a side shrinks, each pixel is the weighted mean
/// of all that it covers (antialiasing). Weights are fixed point with 22 bits
/// behind the point; the horizontal pass comes first and rounds to u8. These
/// are the bits of Pillow's Image.resize(.., BILINEAR) before version 13, but
/// that its last ones go vertically first where a picture is more than a
/// hundred times as high as wide.
Result<std::unique_ptr<Transform>> makeResize(const FieldType &input,
                                              const Arguments &args);

} // namespace dpl::rt

#endif // DPL_RUNTIME_DATA_RESIZE_H
