# Shared by ./postmortem, ./test and .ci/run: installs packages and builds. Everything it says goes to stderr, so that
# the output of the program stays clean. Source it with $root set to the project's folder.

say() { printf 'postmortem: %s\n' "$*" >&2; }
die() { say "$*"; exit 1; }

# What each job needs from Debian 12. The program first; later lists add to it.
packages_program='g++ cmake ninja-build npm libfmt-dev libexpected-dev libcli11-dev nlohmann-json3-dev zlib1g-dev libzstd-dev libsqlitecpp-dev libsqlite3-dev libboost1.81-dev stockfish'
packages_test='libgtest-dev librapidcheck-dev chromium fonts-dejavu-core'
packages_coverage='gcovr'
packages_package='dpkg-dev file'
packages_train='libtorch-dev libopenblas0-openmp libgtest-dev'
# oneDNN's CMake files want OpenCL's headers, which its package only recommends.
packages_check='clang-19 clang-tidy-19 clang-format-19 libclang-rt-19-dev libbenchmark-dev libdnnl-dev ocl-icd-opencl-dev'
packages_bench='libbenchmark-dev libdnnl-dev ocl-icd-opencl-dev pgn-extract stockfish zstd'

# install_packages NAME...: makes sure the packages of these lists are there. A stamp in build/ remembers the answer,
# so that a second run asks nobody.
install_packages() {
  local list wanted='' missing='' package
  for list in "$@"; do list="packages_$list"; wanted="$wanted ${!list}"; done
  local stamp="$root/build/.installed-$(cksum <<<"$wanted" | cut -d' ' -f1)"
  [ -e "$stamp" ] && return
  mkdir -p "$root/build"
  for package in $wanted; do
    [ "$package" = npm ] && command -v npm >/dev/null && continue  # comes with other builds of Node.js too
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  if [ -n "$missing" ]; then
    command -v apt-get >/dev/null || die "needs these Debian packages, and apt-get is not here to install them:$missing"
    local as_root=''
    if [ "$(id -u)" != 0 ]; then
      command -v sudo >/dev/null || die "needs these packages; run as root or install sudo:$missing"
      as_root=sudo
    fi
    say "the build needs packages that are not installed; installing them with apt-get (some minutes):$missing"
    local log="$root/build/apt.log"
    { $as_root apt-get update -q && $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -qy --no-install-recommends $missing; } \
      >"$log" 2>&1 </dev/null || { tail -n 15 "$log" >&2; die "apt-get failed; the whole log is in build/apt.log"; }
  fi
  touch "$stamp"
}

# install_modules [test]: fetches what package-lock.json names from npm, once; for tests also what only they need.
install_modules() {
  local stamp="$root/node_modules/.installed${1:+-$1}" omit=--omit=dev what='the opening names and the libraries of the web app'
  [ "${1:-}" = test ] && omit= what='the opening names, the libraries of the web app and what its tests need'
  [ -z "${1:-}" ] && [ -e "$root/node_modules/.installed-test" ] && stamp="$root/node_modules/.installed-test"
  [ -e "$stamp" ] && [ ! "$root/package-lock.json" -nt "$stamp" ] && return
  say "fetching $what with npm"
  mkdir -p "$root/build"
  (cd "$root" && npm ci $omit --ignore-scripts --no-audit --no-fund) >"$root/build/npm.log" 2>&1 </dev/null ||
    { tail -n 15 "$root/build/npm.log" >&2; die "npm failed; the whole log is in build/npm.log"; }
  touch "$stamp"
}

# build PRESET [TARGET...]: configures once, then lets ninja decide what changed.
build() {
  local preset=$1; shift
  local folder="$root/build/$preset"
  mkdir -p "$root/build"
  install_modules
  exec 9>"$root/build/.lock-$preset"
  flock 9
  # A build made elsewhere (the clone was moved or copied) cannot be used; newer presets ask for a new configuration.
  if [ -e "$folder/CMakeCache.txt" ] && ! grep -qxF "CMAKE_HOME_DIRECTORY:INTERNAL=$root" "$folder/CMakeCache.txt"; then
    rm -rf "$folder"
  fi
  if [ ! -e "$folder/build.ninja" ] || [ "$root/CMakePresets.json" -nt "$folder/build.ninja" ]; then
    say "configuring the $preset build"
    (cd "$root" && cmake --preset "$preset") >"$root/build/configure-$preset.log" 2>&1 ||
      { tail -n 30 "$root/build/configure-$preset.log" >&2; rm -f "$folder/build.ninja"; die "cmake failed"; }
  fi
  if ! ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
    say "building ($preset; the first time takes a minute or two)"
    ninja -C "$folder" "$@" >&2 || die "the build failed"
  fi
  exec 9>&-
}
