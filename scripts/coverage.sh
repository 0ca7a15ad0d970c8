#!/usr/bin/env bash
# Line coverage of a measured build whose tests have run, src/ per folder and web/src per file: coverage.sh ROOT BUILD [LEAST].
# Fails when the lines of either that were reached are less than LEAST percent.
set -euo pipefail
cd "$1"
build=$2 least=${3:-0}
# What is there for tests only is not counted. Files that no test has loaded are, as gcov knows them from the compiler.
helpers='bad_engine\.cpp|shared_data\.h|test_[a-z]+\.h|fake_[a-z]+\.h|tiny_network\.h'

# table NAME: from lines of FILE,LINES,COVERED and more after a heading. Groups are NAME's folders, or else its files.
table() {
  awk -F, -v name="$1" -v least="$least" '
    NR > 1 && $2 > 0 {
      group = substr($1, length(name) + 2)
      sub(/\/.*/, "", group)
      total[group] += $2; covered[group] += $3; all += $2; hit += $3
    }
    function row(what, of, some) { return sprintf("  %-16s %5.1f%%  %5d of %5d lines", what, 100 * some / of, some, of) }
    END {
      if (all == 0) { print "no line of " name " was measured"; exit 1 }
      print name
      for (group in total) print row(group, total[group], covered[group]) | "sort"
      close("sort")
      print row("all", all, hit)
      if (100 * hit < least * all) { print name " is below " least "% of its lines"; exit 1 }
    }'
}

enough=true
gcovr --root . --filter src/ --exclude '.*_test\.cpp' --exclude '.*/main\.cpp' --exclude ".*/($helpers)" \
  -j "$(nproc)" --csv - "$build" 2>"$build/gcovr.log" | table src || { cat "$build/gcovr.log" >&2; enough=false; }
node web/test/coverage.mjs "$build" | table web/src || enough=false
$enough
