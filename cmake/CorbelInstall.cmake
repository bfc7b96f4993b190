# The installed package, in two components: idl, the compiler and what calls it from CMake, and orb, the run time.
# Included where either is built; both share the files of the package, and may come into one prefix or into two.
include(CMakePackageConfigHelpers)
set(CORBEL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Corbel)
get_filename_component(CORBEL_ROOT ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)

function(corbel_install_package component)
  # A compiler serves any target, libraries only the architecture that they are built for.
  set(independent)
  if(component STREQUAL idl)
    set(independent ARCH_INDEPENDENT)
  endif()
  set(files ${CMAKE_BINARY_DIR}/package-${component})
  configure_package_config_file(${CORBEL_ROOT}/cmake/CorbelConfig.cmake.in ${files}/CorbelConfig.cmake
                                INSTALL_DESTINATION ${CORBEL_PACKAGE_DIR})
  write_basic_package_version_file(${files}/CorbelConfigVersion.cmake VERSION ${PROJECT_VERSION}
                                   COMPATIBILITY SameMinorVersion ${independent})
  install(FILES ${files}/CorbelConfig.cmake ${files}/CorbelConfigVersion.cmake ${CORBEL_ROOT}/cmake/CorbelIdl.cmake
          DESTINATION ${CORBEL_PACKAGE_DIR} COMPONENT ${component})
  install(EXPORT corbel-${component} NAMESPACE Corbel:: FILE CorbelTargets-${component}.cmake
          DESTINATION ${CORBEL_PACKAGE_DIR} COMPONENT ${component})
endfunction()

if(TARGET corbel-idl)
  install(TARGETS corbel-idl EXPORT corbel-idl RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT idl)
  corbel_install_package(idl)
endif()
if(TARGET corbel)
  set(libraries corbel corbel-poa corbel-any corbel-dynamic corbel-codesets)
  foreach(library corbel-cos corbel-messaging corbel-interceptors corbel-dynamic-any corbel-compat-omniorb corbel-compat-tao)
    if(TARGET ${library})
      list(APPEND libraries ${library})
    endif()
  endforeach()
  install(TARGETS ${libraries} EXPORT corbel-orb
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orb
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orb)
  if(TARGET corbel-tls)
    # Apart, because whoever finds it must find OpenSSL, too.
    install(TARGETS corbel-tls EXPORT corbel-tls ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orb)
    install(EXPORT corbel-tls NAMESPACE Corbel:: FILE CorbelTargets-tls.cmake DESTINATION ${CORBEL_PACKAGE_DIR}
            COMPONENT orb)
  endif()
  if(TARGET corbel-ziop)
    # The same of zlib and zstd.
    install(TARGETS corbel-ziop EXPORT corbel-ziop ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orb)
    install(EXPORT corbel-ziop NAMESPACE Corbel:: FILE CorbelTargets-ziop.cmake DESTINATION ${CORBEL_PACKAGE_DIR}
            COMPONENT orb)
  endif()
  if(TARGET corbel-json)
    # The same of fmt, which the compiler's library links.
    install(TARGETS corbel-json corbel-idl-core EXPORT corbel-json ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT orb)
    install(EXPORT corbel-json NAMESPACE Corbel:: FILE CorbelTargets-json.cmake DESTINATION ${CORBEL_PACKAGE_DIR}
            COMPONENT orb)
    install(FILES ${CORBEL_ROOT}/json/include/corbel/json.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/corbel COMPONENT orb)
  endif()
  install(DIRECTORY ${CORBEL_ROOT}/orb/include/corbel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT orb)
  corbel_install_package(orb)
endif()
