# Writes OUTPUT: for each file of SOURCES, which are separated by commas, an
# entry {PREFIX and name, raw string literal}.
string(REPLACE "," ";" SOURCES "${SOURCES}")
set(text "")
foreach(file ${SOURCES})
  file(READ ${file} content)
  get_filename_component(name ${file} NAME)
  string(APPEND text "{\"${PREFIX}${name}\", R\"dpl(${content})dpl\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${text}")
