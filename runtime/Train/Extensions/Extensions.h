//===- Extensions.h - Makers of the extensions ------------------*- C++ -*-===//
//
// One maker for each file of this folder. `action` is the entry of the `every`
// block; an error names the argument that is wrong.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_RUNTIME_TRAIN_EXTENSIONS_EXTENSIONS_H
#define DPL_RUNTIME_TRAIN_EXTENSIONS_EXTENSIONS_H

#include "runtime/Train/Extension.h"

namespace dpl::rt {

/// What a maker may look at.
struct ActionContext {
  const desc::ActionSpec &action;
  const Description &description;
  const OptionValues &options;
};

using ExtensionMaker =
    Result<std::unique_ptr<Extension>>(const ActionContext &);

ExtensionMaker makeEvaluate;  ///< evaluate(data, name: "val")
ExtensionMaker makeLog;       ///< log
ExtensionMaker makeObserveLr; ///< observe_lr
ExtensionMaker makePlot;      ///< plot(keys.., file: "plot.png")
ExtensionMaker makePrint;     ///< print(keys..)
ExtensionMaker makeProgress;  ///< progress
ExtensionMaker makeSnapshot;  ///< snapshot(keep: 0)

} // namespace dpl::rt

#endif // DPL_RUNTIME_TRAIN_EXTENSIONS_EXTENSIONS_H
