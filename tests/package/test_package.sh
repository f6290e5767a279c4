#!/usr/bin/env bash
# Install into an empty folder, move it, and build somebody else's program against it: with
# pkg-config, and with find_package.
set -u
passed=0
failed=0

# A sentence, then a command that shows it to be true.
check() {
    local sentence=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "ok: $sentence"
    else
        failed=$((failed + 1))
        echo "FAILED: $sentence"
        echo "$output" | sed 's/^/    /'
    fi
}

if [ -n "${SPECHT_SANITIZE:-}" ]; then
    echo "a library with sanitizers is not one to install"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
user=$SPECHT_SOURCE_DIR/tests/package
version=$(sed -n 's/^project(specht VERSION \([0-9.]*\).*/\1/p' "$SPECHT_SOURCE_DIR/CMakeLists.txt")
prefix=$work/moved
unset CFLAGS CPPFLAGS LDFLAGS DESTDIR
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig

installs_and_moves() {
    cmake --install "$SPECHT_BUILD_DIR" --prefix "$work/first" && mv "$work/first" "$prefix" &&
        ! grep -rIl -e "$work/first" -e "$SPECHT_SOURCE_DIR" "$prefix/lib" "$prefix/include"
}

pkg_config_knows_the_version() { [ "$(pkg-config --modversion specht)" = "$version" ]; }

says_the_version() { # program
    local said
    said=$("$1") && echo "$said" && [[ $said =~ ^"specht $version+"[0-9a-f]{12}", " ]]
}

builds_with_pkg_config() {
    cc -std=c17 -Wall -Werror "$user/main.c" $(pkg-config --cflags --libs specht) \
        -Wl,-rpath,"$prefix/lib" -o "$work/user_pc" && says_the_version "$work/user_pc"
}

builds_and_runs_the_example() { # name, what it prints, arguments
    cc -std=c17 -Wall -Wextra -Werror "$SPECHT_SOURCE_DIR/examples/c/$1.c" \
        $(pkg-config --cflags --libs specht) -pthread -lm -Wl,-rpath,"$prefix/lib" -o "$work/$1" &&
        "$work/$1" "${@:3}" | tee "$work/$1.txt" && grep -q "$2" "$work/$1.txt"
}

builds_static_with_pkg_config() {
    local flags
    flags=$(pkg-config --static --cflags --libs specht) &&
        cc -std=c17 -Wall -Werror "$user/main.c" ${flags//-lspecht/-l:libspecht.a} \
            -o "$work/user_pc_static" && says_the_version "$work/user_pc_static" &&
        ! ldd "$work/user_pc_static" | grep libspecht
}

configures_with_find_package() {
    cmake -S "$user" -B "$work/user" -DCMAKE_PREFIX_PATH="$prefix" && cmake --build "$work/user"
}

refuses_another_version() {
    mkdir -p "$work/other"
    sed 's/specht 0\.1 CONFIG/specht 99.0 CONFIG/' "$user/CMakeLists.txt" >"$work/other/CMakeLists.txt"
    cp "$user/main.c" "$work/other"
    ! cmake -S "$work/other" -B "$work/other/build" -DCMAKE_PREFIX_PATH="$prefix"
}

# Exported: exactly functions that a public header declares.
exports_only_what_the_headers_declare() {
    local name names status=0
    names=$(nm -D --defined-only "$prefix/lib/libspecht.so" | awk '{print $3}') && [ -n "$names" ] ||
        return 1
    for name in $names; do
        grep -rqw "$name" "$prefix/include/specht" || { echo "exported: $name"; status=1; }
    done
    return $status
}

program_runs_where_it_is_installed() { "$prefix/bin/specht" --help; }

check "the package installs, may be moved, and knows nothing of the source folder" installs_and_moves
check "pkg-config knows the version" pkg_config_knows_the_version
check "a program builds with pkg-config and runs" builds_with_pkg_config
check "the example of a machine built in C builds and runs against it" \
    builds_and_runs_the_example pendulum "impact of 'knock'"
check "the example of an observed run does, too" \
    builds_and_runs_the_example observed "Pendulum against a wall: clean"
check "the example of a batch on two threads does, too" \
    builds_and_runs_the_example batch "largest error .*e-1[0-9] s"
check "the example of a machine without a run does, too" \
    builds_and_runs_the_example look "the same to the bit"
check "the example that reads a result does, too" \
    builds_and_runs_the_example results "t = 0.008422 s   impact guide.c2.upper" \
    "$SPECHT_SOURCE_DIR/examples/slider_crank/slider_crank.yaml" "$work/results.h5"
check "the example of a contact problem does, too" \
    builds_and_runs_the_example contact_solve "contact 2: P = (6.000, -2.400, -1.800) N s"
check "a program builds with pkg-config and the static library" builds_static_with_pkg_config
check "a program builds with find_package" configures_with_find_package
check "the one with the shared library runs" says_the_version "$work/user/user_shared"
check "the one with the static library runs" says_the_version "$work/user/user_static"
check "find_package refuses a version that is not this one" refuses_another_version
check "the shared library exports only what the public headers declare" \
    exports_only_what_the_headers_declare
if [ -x "$SPECHT_BIN" ]; then
    check "the installed program runs" program_runs_where_it_is_installed
fi
echo "$passed passed, $failed failed, 0 skipped"
[ $failed -eq 0 ]
