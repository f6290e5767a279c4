#!/bin/bash
# The numbers behind the figures of examples/contensou are all there and meet what is known in
# closed form; where there is gnuplot, all figures are drawn.
set -e
source_dir=${SPECHT_SOURCE_DIR:-$(cd "$(dirname "$0")/../.." && pwd)}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
${CC:-cc} -std=c17 -O1 -I"$source_dir/src" "$source_dir/tests/laws/contensou_data.c" \
    "$source_dir"/src/laws/{contensou,ball,meridian}.c "$source_dir/src/math/elliptic.c" -lm \
    -o "$work/contensou_data"
"$work/contensou_data" "$work"
passed=0
failed=0
skipped=0

# near NAME VALUE EXPECTED
near() {
    if awk -v a="$2" -v b="$3" 'BEGIN { d = a - b; exit !(d < 1e-12 && d > -1e-12) }'; then
        passed=$((passed + 1))
    else
        echo "$1: $2, expected $3"
        failed=$((failed + 1))
    fi
}

# u = 1: 8/(3 pi) and 9 pi/32; 1/u = 1: 8/(9 pi) and 3 (3 pi/128)
near "force at u = 1, uniform" "$(awk '$1 == 1 { print $2; exit }' "$work/fig6.dat")" 0.848826363156775
near "force at u = 1, Hertz" "$(awk '$1 == 1 { v = $2 } END { print v }' "$work/fig6.dat")" 0.883572933822129
near "torque at u = 1, uniform" "$(awk '$1 == 1 { print $2; exit }' "$work/fig7.dat")" 0.282942121052258
near "torque at u = 1, Hertz" "$(awk '$1 == 1 { v = $2 } END { print v }' "$work/fig7.dat")" 0.220893233455532
# bounds of the plate: the largest torque over both blocks is 2/3, the largest force 1
near "largest torque" "$(awk 'NF && $2 > m { m = $2 } END { printf "%.15g", m }' "$work/fig4.dat")" 0.666666666666667
near "largest force" "$(awk 'NF && $1 > m { m = $1 } END { printf "%.15g", m }' "$work/fig4.dat")" 1
if grep -q -i 'nan\|inf' "$work"/*.dat; then
    echo "a number is not finite"
    failed=$((failed + 1))
fi
if command -v gnuplot > /dev/null; then
    mkdir "$work/figures"
    gnuplot -e "data='$work'; out='$work/figures'" "$source_dir/examples/contensou/figures.gp"
    drawn=$(find "$work/figures" -name '*.svg' -size +2k | wc -l)
    if [ "$drawn" -eq 9 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
else
    skipped=1
fi
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ]
