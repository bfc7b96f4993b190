# The installed package: find_package(Corbel) gives Corbel::corbel, Corbel::poa, Corbel::any, Corbel::cos, Corbel::corbel-idl and corbel_add_idl.
include(CMakePackageConfigHelpers)
set(CORBEL_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Corbel)

install(TARGETS corbel corbel-poa corbel-any corbel-cos corbel-idl EXPORT CorbelTargets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${CMAKE_SOURCE_DIR}/orb/include/corbel DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(EXPORT CorbelTargets NAMESPACE Corbel:: DESTINATION ${CORBEL_PACKAGE_DIR})

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/CorbelConfig.cmake.in ${CMAKE_BINARY_DIR}/CorbelConfig.cmake
                              INSTALL_DESTINATION ${CORBEL_PACKAGE_DIR})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/CorbelConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/CorbelConfig.cmake ${CMAKE_BINARY_DIR}/CorbelConfigVersion.cmake
              ${CMAKE_CURRENT_LIST_DIR}/CorbelIdl.cmake
        DESTINATION ${CORBEL_PACKAGE_DIR})
