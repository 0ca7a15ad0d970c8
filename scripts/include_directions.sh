#!/usr/bin/env bash
# Fails when a file of src/ includes a header of a folder that stands after its own: include_directions.sh ROOT.
# The order is that of add_subdirectory in CMakeLists.txt; tests and their helpers follow it too. Besides, only cli uses
# service: it opens engines and models for the server, which is given them.
set -euo pipefail
cd "$1"
git ls-files 'src/*.cpp' 'src/*.h' | xargs awk '
  BEGIN {
    while ((getline line < "CMakeLists.txt") > 0)
      if (match(line, /^add_subdirectory\(src\/[a-z_]+\)/)) {
        split(line, part, /[\/)]/)
        place[part[2]] = ++folders
      }
    if (!folders) { print "CMakeLists.txt names no folder of src/"; bad = 1; exit }
  }
  FNR == 1 { split(FILENAME, part, "/"); own = part[2] }
  /^[ \t]*#[ \t]*include[ \t]*"/ {
    split($0, part, /["\/]/)
    used = part[2]
    if (!(own in place)) problem = "is in a folder that CMakeLists.txt does not name"
    else if (!(used in place)) problem = "includes something that is in no folder of src/"
    else if (place[used] > place[own]) problem = own " stands before " used
    else if (used == "service" && own != "service" && own != "cli") problem = "only cli uses service"
    else next
    print FILENAME ":" FNR ": " $0 ": " problem
    bad = 1
  }
  END { exit bad }' >&2
