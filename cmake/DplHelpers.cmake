# The helper functions of the build. Every folder lists its sources and its
# libraries; nothing is globbed.

include(TableGen)
include(AddLLVM)
include(AddMLIR)

add_library(dpl_options INTERFACE)
target_compile_options(dpl_options INTERFACE -Wall -Wextra -Wno-unused-parameter
  $<$<BOOL:${DPL_WERROR}>:-Werror>)
target_include_directories(dpl_options INTERFACE ${CMAKE_SOURCE_DIR}
  ${CMAKE_SOURCE_DIR}/runtime/include ${CMAKE_BINARY_DIR})
if(DPL_SANITIZE)
  target_compile_options(dpl_options INTERFACE -fsanitize=${DPL_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(dpl_options INTERFACE -fsanitize=${DPL_SANITIZE})
endif()

# What the compiler's libraries share: LLVM's headers and its rules (no RTTI, no
# exceptions), and the shared libraries.
add_library(dpl_compiler_options INTERFACE)
target_link_libraries(dpl_compiler_options INTERFACE dpl_options)
target_compile_options(dpl_compiler_options INTERFACE -fno-rtti -fno-exceptions)
target_include_directories(dpl_compiler_options SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(DPL_LLVM_DEFINITIONS NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(dpl_compiler_options INTERFACE ${DPL_LLVM_DEFINITIONS})
# Without a time inside, a precompiled header is the same file whenever it is
# made, and ccache can tell what was compiled with it.
if(CMAKE_CXX_COMPILER_ID STREQUAL Clang)
  target_compile_options(dpl_compiler_options INTERFACE "SHELL:-Xclang -fno-pch-timestamp")
endif()

# dpl_library(NAME SOURCES a.cpp b.cpp [LINK libs...] [MLIR])
# A library of the compiler. With MLIR it uses the shared, precompiled MLIR
# headers and links the shared MLIR.
function(dpl_library name)
  cmake_parse_arguments(ARG "MLIR" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC dpl_compiler_options ${ARG_LINK})
  if(ARG_MLIR)
    target_link_libraries(${name} PUBLIC MLIR LLVM)
    if(TARGET dpl_pch)
      target_precompile_headers(${name} REUSE_FROM dpl_pch)
    endif()
  else()
    target_link_libraries(${name} PUBLIC LLVM)
  endif()
endfunction()

# dpl_runtime_library(NAME SOURCES a.cpp [LINK libs...])
# A part of the runtime: an object library that also goes into the one archive
# which trainers are linked with.
function(dpl_runtime_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_library(${name} OBJECT ${ARG_SOURCES})
  target_link_libraries(${name} PUBLIC dpl_options ${ARG_LINK})
  set_property(GLOBAL APPEND PROPERTY DPL_RUNTIME_OBJECTS $<TARGET_OBJECTS:${name}>)
endfunction()

# dpl_embed(OUTPUT SOURCE PREFIX prefix FILES names...)
# Texts of this folder as string literals: OUTPUT lists {prefix and name, text}
# in the order of FILES, for SOURCE, which includes it.
function(dpl_embed output source)
  cmake_parse_arguments(ARG "" "PREFIX" "FILES" ${ARGN})
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${output})
  set(script ${CMAKE_SOURCE_DIR}/cmake/EmbedFiles.cmake)
  list(JOIN ARG_FILES "," joined)
  add_custom_command(
    OUTPUT ${generated}
    COMMAND ${CMAKE_COMMAND} -DOUTPUT=${generated} -DSOURCES=${joined} -DPREFIX=${ARG_PREFIX} -P ${script}
    DEPENDS ${ARG_FILES} ${script}
    WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR}
    VERBATIM)
  set_source_files_properties(${source} PROPERTIES OBJECT_DEPENDS ${generated})
endfunction()

# dpl_gtest(NAME SOURCES a.cpp [LINK libs...])
# A GoogleTest program; ctest runs it as one test of that name.
function(dpl_gtest name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE dpl_options ${ARG_LINK} GTest::gtest_main GTest::gmock)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/bin)
  add_test(NAME ${name} COMMAND ${name})
endfunction()
