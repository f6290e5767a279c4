# Tangential velocity of a uniform sphere after an impact against that before (theory (11.8)).
#
#   SPECHT_FIGURES=docs/figures build/tests/test_impact_poisson   writes impact_sphere.dat
#   gnuplot -c docs/figures/impact_sphere.gp docs/figures     draws impact_sphere.svg
set terminal svg size 640,440 font "sans,12" background "white"
set output ARG1."/impact_sphere.svg"
set xlabel "tangential velocity before / normal speed before"
set ylabel "tangential velocity after / normal speed before"
set key top left reverse Left
set grid
set title "Uniform sphere, Poisson's law in two phases, mu = 0.3, eps_N = 0.8" noenhanced
plot for [k=0:3] ARG1."/impact_sphere.dat" index 0 using 1:(column(k+2)) with lines lw 2 \
     title sprintf("eps_T = %.2f", (k == 0 ? 0.0 : k == 1 ? 0.4 : k == 2 ? 0.8 : 1.0)) noenhanced
