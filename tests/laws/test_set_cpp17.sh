#!/bin/bash
# laws/set.h compiles as C++17 without a warning and computes the same there.
set -e
source_dir=${SPECHT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
compiler=${CXX:-$(command -v c++ || command -v g++ || command -v clang++ || true)}
if [ -z "$compiler" ]; then
    echo "no C++ compiler here"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
fi
program=$(mktemp)
trap 'rm -f "$program"' EXIT
"$compiler" -std=c++17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -I"$source_dir/src" \
    "$source_dir/tests/laws/set_cpp17.cpp" -o "$program" -lm
"$program"
echo "1 passed, 0 failed, 0 skipped"
