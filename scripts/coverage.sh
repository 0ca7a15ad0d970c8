#!/usr/bin/env bash
# Line coverage per src/ folder from an instrumented build whose tests have run: coverage.sh ROOT BUILD.
set -euo pipefail
gcovr --root "$1" --filter "$1/src/" --exclude '.*_test\.cpp' --exclude '.*/main\.cpp' --csv "$2" 2>"$2/gcovr.log" | awk -F, '
  NR > 1 {
    split($1, part, "/")
    total[part[2]] += $2; covered[part[2]] += $3; all += $2; hit += $3
  }
  END {
    for (folder in total) printf "%-10s %5.1f%%  (%d of %d lines)\n", folder, 100 * covered[folder] / total[folder], covered[folder], total[folder] | "sort"
    close("sort")
    printf "%-10s %5.1f%%  (%d of %d lines)\n", "all", 100 * hit / all, hit, all
  }'
