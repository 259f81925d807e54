# The licences of what is installed but not ours, as Debian keeps them.

# dpl_copy_licences(FOLDER path..) copies the copyright file of each Debian
# package that one of the paths belongs to, as FOLDER/PACKAGE. A path may have
# wildcards. One that belongs to no package has its licence elsewhere.
function(dpl_copy_licences folder)
  foreach(path ${ARGN})
    execute_process(COMMAND dpkg-query --search ${path} OUTPUT_VARIABLE found ERROR_QUIET)
    string(REGEX MATCHALL "(^|\n)[^:,\n]+" packages "${found}")
    foreach(package ${packages})
      string(STRIP "${package}" package)
      set(copyright /usr/share/doc/${package}/copyright)
      if(EXISTS ${copyright})
        file(MAKE_DIRECTORY ${folder})
        configure_file(${copyright} ${folder}/${package} COPYONLY)
      endif()
    endforeach()
  endforeach()
endfunction()
