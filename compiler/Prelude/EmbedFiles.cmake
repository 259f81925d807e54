# Writes OUTPUT: for each file of SOURCES, which are separated by commas, an
# entry {name, raw string literal}.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(text "")
foreach(file ${SOURCES})
  file(READ ${file} content)
  get_filename_component(name ${file} NAME)
  string(APPEND text "{\"<prelude>/${name}\", R\"dpl(${content})dpl\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
