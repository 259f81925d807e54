//===- Precompiled.cpp - Home of the precompiled headers ------------------===//
