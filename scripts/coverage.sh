#!/usr/bin/env bash
# Line coverage per src/ folder from an instrumented build whose tests have run: coverage.sh ROOT BUILD.
set -euo pipefail
cd "$1"
gcovr --root . --filter 'src/' --exclude '.*_test\.cpp' --exclude '.*/main\.cpp' --exclude '.*/shared_data\.h' --csv - "$2" 2>"$2/gcovr.log" | awk -F, '
  NR > 1 {
    split($1, part, "/")
    total[part[2]] += $2; covered[part[2]] += $3; all += $2; hit += $3
  }
  END {
    if (all == 0) { print "no line was measured; see gcovr.log in the build folder"; exit 1 }
    for (folder in total)
      printf "%-10s %5.1f%%  (%d of %d lines)\n", folder, 100 * covered[folder] / total[folder], covered[folder], total[folder] | "sort"
    close("sort")
    printf "%-10s %5.1f%%  (%d of %d lines)\n", "all", 100 * hit / all, hit, all
  }'
