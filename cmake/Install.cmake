# What `cmake --install` puts where: bin/dplc, and lib/dpl with the runtime that
# dplc links into trainers, which it finds relative to itself, so that the
# prefix may be moved. `cpack` makes two packages of it: a .deb, which depends on
# Debian's LLVM and MLIR, and a .tar.gz with the component `libraries`, too: all
# shared libraries that dplc needs but the C library. docs/design/0009 says why.

# Installing takes what is built; it does not build the tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)

# DT_RPATH, unlike DT_RUNPATH, holds for the libraries of libraries, too.
set_target_properties(dplc PROPERTIES INSTALL_RPATH "$ORIGIN/../lib;${LLVM_LIBRARY_DIR}")
target_link_options(dplc PRIVATE -Wl,--disable-new-dtags)

install(TARGETS dplc RUNTIME_DEPENDENCY_SET dplc_libraries RUNTIME DESTINATION bin COMPONENT dpl)
install(FILES $<TARGET_FILE:dpl_runtime> DESTINATION lib/dpl COMPONENT dpl)
install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/dpl COMPONENT dpl)
install(DIRECTORY dsl-examples DESTINATION share/doc/dpl COMPONENT dpl FILES_MATCHING PATTERN "*.dpl" PATTERN "*.md"
  PATTERN build EXCLUDE PATTERN data EXCLUDE PATTERN "result*" EXCLUDE)
install(RUNTIME_DEPENDENCY_SET dplc_libraries
  PRE_EXCLUDE_REGEXES "^ld-linux" "^lib(c|m|dl|rt|pthread)\\.so"
  LIBRARY DESTINATION lib COMPONENT libraries EXCLUDE_FROM_ALL)

# Licences: of what is inside of the runtime, and of the libraries beside dplc.
find_file(DPL_JSON_HEADER nlohmann/json.hpp REQUIRED)
find_file(DPL_CLI11_HEADER CLI/CLI.hpp REQUIRED)
set(licences "include(${PROJECT_SOURCE_DIR}/cmake/CopyLicences.cmake)
  set(prefix \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}\")")
install(CODE "${licences}
  dpl_copy_licences(\"\${prefix}/share/doc/dpl/licences\"
    ${DPL_PNG_ARCHIVE} ${DPL_ZLIB_ARCHIVE} ${DPL_JSON_HEADER} ${DPL_CLI11_HEADER})" COMPONENT dpl)
install(CODE "${licences}
  file(GLOB names RELATIVE \"\${prefix}/lib\" \"\${prefix}/lib/*.so*\")
  list(TRANSFORM names PREPEND */)
  dpl_copy_licences(\"\${prefix}/share/doc/dpl/licences\" \${names})" COMPONENT libraries EXCLUDE_FROM_ALL)

set(CPACK_PACKAGE_NAME dpl)
set(CPACK_PACKAGE_CONTACT "the maintainers of dpl")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION
  "dplc reads one .dpl file with data, model and training, and writes one trainer, an executable that needs only the C library.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_GENERATOR TGZ DEB)
set(CPACK_PROJECT_CONFIG_FILE ${PROJECT_SOURCE_DIR}/cmake/Package.cmake)
set(CPACK_VERBATIM_VARIABLES ON)
include(CPack)
