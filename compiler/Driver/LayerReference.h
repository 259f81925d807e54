//===- LayerReference.h - the reference of the prelude ----------*- C++ -*-===//

#ifndef DPL_DRIVER_LAYERREFERENCE_H
#define DPL_DRIVER_LAYERREFERENCE_H

#include "llvm/Support/raw_ostream.h"

namespace dpl {

/// What every program can name, with its declaration and its doc comment, as
/// docs/generated/layers.md.
void renderLayerReference(llvm::raw_ostream &os);

} // namespace dpl

#endif // DPL_DRIVER_LAYERREFERENCE_H
