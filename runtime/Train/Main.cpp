//===- Main.cpp - The main function of every trainer ----------------------===//

#include "runtime/Train/App.h"

int main(int argc, char **argv) {
  return dpl::rt::runTrainer(argc, argv, dpl_main_program);
}
