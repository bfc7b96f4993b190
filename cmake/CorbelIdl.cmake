# corbel_add_idl(<target> FILES a.idl ... [INCLUDE_DIRS dir ...] [OPTIONS option ...])
#
# A static library of the stubs and skeletons that corbel-idl makes of the files; <target> carries the include directory
# of the generated headers and links Corbel::poa. Included files are dependencies.
include_guard(GLOBAL)

function(corbel_add_idl target)
  cmake_parse_arguments(ARG "" "" "FILES;INCLUDE_DIRS;OPTIONS" ${ARGN})
  if(NOT ARG_FILES)
    message(FATAL_ERROR "corbel_add_idl(${target}): FILES names no IDL file")
  endif()
  set(directory ${CMAKE_CURRENT_BINARY_DIR}/${target}.idl.d)
  file(MAKE_DIRECTORY ${directory})
  set(flags ${ARG_OPTIONS})
  foreach(include IN LISTS ARG_INCLUDE_DIRS)
    get_filename_component(include ${include} ABSOLUTE)
    list(APPEND flags -I ${include})
  endforeach()
  # The names of what comes out.
  set(stub .stub)
  set(skel .skel)
  set(any .any)
  foreach(option IN LISTS ARG_OPTIONS)
    if(option MATCHES "^--(stub|skel|any)-suffix=(.*)$")
      set(${CMAKE_MATCH_1} ${CMAKE_MATCH_2})
    endif()
  endforeach()
  set(suffixes ${stub}.h ${stub}.cc)
  if(NOT "--no-any" IN_LIST ARG_OPTIONS)
    list(APPEND suffixes ${any}.h ${any}.cc)
  endif()
  if(NOT "--no-skeleton" IN_LIST ARG_OPTIONS)
    list(APPEND suffixes ${skel}.h ${skel}.cc)
  endif()
  set(sources)
  foreach(file IN LISTS ARG_FILES)
    get_filename_component(file ${file} ABSOLUTE)
    get_filename_component(name ${file} NAME_WLE)
    set(made)
    foreach(suffix IN LISTS suffixes)
      list(APPEND made ${directory}/${name}${suffix})
    endforeach()
    add_custom_command(
      OUTPUT ${made}
      COMMAND Corbel::corbel-idl ${flags} -o ${directory} -MD -MF ${directory}/${name}.d ${file}
      DEPENDS ${file} Corbel::corbel-idl
      DEPFILE ${directory}/${name}.d
      COMMENT "corbel-idl ${name}.idl"
      VERBATIM)
    list(APPEND sources ${made})
  endforeach()
  add_library(${target} STATIC ${sources})
  target_include_directories(${target} PUBLIC ${directory})
  target_link_libraries(${target} PUBLIC Corbel::poa Corbel::any)
  if(TARGET corbel-options)
    target_link_libraries(${target} PRIVATE corbel-options)
  endif()
endfunction()
