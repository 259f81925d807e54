//===- Driver.h - dplc ------------------------------------------*- C++ -*-===//

#ifndef DPL_DRIVER_DRIVER_H
#define DPL_DRIVER_DRIVER_H

namespace dpl {

/// The program `dplc`: 0 if all went well, 1 for errors in the program or on
/// the machine, 2 for a wrong command line.
int runDriver(int argc, char **argv);

} // namespace dpl

#endif // DPL_DRIVER_DRIVER_H
