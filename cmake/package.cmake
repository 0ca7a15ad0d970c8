# cmake --install, and `cpack` for a Debian package.
include(GNUInstallDirs)
install(TARGETS postmortem RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(FILES README.md CHANGELOG.md SECURITY.md LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME postmortem)
set(CPACK_PACKAGE_VENDOR "Postmortem")
set(CPACK_PACKAGE_CONTACT "The Postmortem maintainers <maintainers@postmortem.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Chess game review that knows people")
set(CPACK_PACKAGE_DESCRIPTION
    "Reviews chess games on your own machine: how good each move was, how human it was, and why it got its label.")
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION games)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_STRIP_FILES ON)
include(CPack)
