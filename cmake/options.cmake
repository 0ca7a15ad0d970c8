# Compiler settings for every target.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()
# No -march: the binary runs on any x86-64 and chooses faster paths at run time (src/chess/movegen.cpp).
set(CMAKE_CXX_FLAGS_RELEASE "-O3 -DNDEBUG")

add_compile_options(-Wall -Wextra -Wpedantic -Werror)
if(POSTMORTEM_SANITIZE)
  add_compile_options(-fsanitize=${POSTMORTEM_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g)
  add_link_options(-fsanitize=${POSTMORTEM_SANITIZE})
endif()
if(POSTMORTEM_FUZZ AND POSTMORTEM_SANITIZE)
  add_compile_options(-fsanitize=fuzzer-no-link)  # so that the fuzzer sees which branches the libraries take
endif()
if(POSTMORTEM_COVERAGE)
  # Atomic: a count lost between threads would make gcov compute others that are negative.
  add_compile_options(--coverage -fprofile-update=atomic)
  add_link_options(--coverage)
endif()
