//===- dplc.cpp - The compiler's main -------------------------------------===//

#include "compiler/Driver/Driver.h"

int main(int argc, char **argv) { return dpl::runDriver(argc, argv); }
