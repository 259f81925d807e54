//===- dpl/abi.h - Contract between generated code and runtime ----*- C -*-===//
//
// The one header that both the compiler and the runtime include. A trainer is
// the object that dplc generates, which defines `dpl_main_program`, linked with
// the runtime, which defines `main`.
//
// The program is data: kernels with one signature, and a description (JSON)
// that says what the kernels are, which buffers they take, and in which order
// they run. docs/design/0002-step-programs.md has the description's format.
//
//===----------------------------------------------------------------------===//

#ifndef DPL_ABI_H
#define DPL_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Changes whenever the meaning of anything in this file or of the
/// description's format changes. The runtime refuses another version.
#define DPL_ABI_VERSION 2

/// Alignment in bytes of every buffer that a kernel gets, and of every offset
/// inside the regions of a program.
#define DPL_ALIGNMENT 64

/// Places of the `sizes` array of a kernel. All are counts, none are bytes.
enum dpl_size {
  DPL_SIZE_VALID = 0,   ///< true samples in this tile (1..tile); domain `tiles`
  DPL_SIZE_SAMPLES = 1, ///< true samples in the replica's batch
  DPL_SIZE_TILES = 2,   ///< tiles of the batch: ceil(samples / tile)
  DPL_SIZE_CHUNKS = 3,  ///< chunk copies of the sums region that are in use
  DPL_SIZE_BLOCK = 4,   ///< number of this block; domain `blocks`
  DPL_SIZE_COUNT = 5
};

/// A piece of generated code. `buffers` holds one pointer for each entry of
/// the task's `buffers` in the description, with the offsets of tile, chunk
/// and block already applied; every pointer is aligned to DPL_ALIGNMENT unless
/// the description's strides say less. `sizes` has DPL_SIZE_COUNT entries.
/// A kernel allocates nothing, keeps no state, and may run on any thread.
typedef void (*dpl_kernel)(void *const *buffers, const int64_t *sizes);

/// The whole of a compiled `.dpl` file.
typedef struct dpl_program {
  uint32_t abi_version;  ///< DPL_ABI_VERSION of the compiler
  uint32_t kernel_count; ///< entries of `kernels`
  const dpl_kernel *kernels;
  const char *description; ///< JSON, UTF-8, not terminated
  uint64_t description_size;
} dpl_program;

/// Defined by the generated object.
extern const dpl_program dpl_main_program;

#ifdef __cplusplus
}
#endif

#endif // DPL_ABI_H
