# gnuplot -e "data='folder'; out='folder'" figures.gp: figures 2 to 9 and the series
if (!exists("data")) data = "."
if (!exists("out")) out = "figures"
set encoding utf8
set terminal svg size 560,400 font "Helvetica,13" background "white"
set border lw 0.8
set style line 1 lc rgb "#1f4e8c" lw 2
set style line 2 lc rgb "#b5461e" lw 2 dt 2
set style line 3 lc rgb "#3a7d44" lw 2
set style line 4 lc rgb "#7a4fa3" lw 2
set style line 5 lc rgb "#8a8a8a" lw 2
f(name) = data . "/" . name . ".dat"

set output out . "/fig2.svg"
set view 58, 30
set hidden3d
set xlabel "v"; set ylabel "R ω"; set zlabel "Φ/(μ λ_N)" rotate by 90
set contour base; set cntrparam levels incremental 0.2, 0.2, 1.4
unset key; set ticslevel 0.3
set xtics 0.5; set ytics 0.5; set ztics 0.5
splot f("fig2") with lines lc rgb "#1f4e8c"
unset contour; unset zlabel

set output out . "/fig5.svg"
set view equal xyz
set view 62, 30, 1.7
unset border; unset xtics; unset ytics; unset ztics
set arrow 1 from 0,0,0 to 1.5,0,0 lc rgb "#666666"
set arrow 2 from 0,0,0 to 0,1.7,0 lc rgb "#666666"
set arrow 3 from 0,0,0 to 0,0,1.1 lc rgb "#666666"
set label 1 "λ_{T1}" at 1.6,0,0; set label 2 "λ_{T2}" at 0,1.8,0; set label 3 "λ_τ" at 0.05,0,1.15
unset xlabel; unset ylabel; unset zlabel
set xrange [-1.1:1.1]; set yrange [-1.1:1.1]; set zrange [-0.8:0.8]
splot f("fig5") with lines lc rgb "#1f4e8c"
unset hidden3d; unset arrow; unset label; set border lw 0.8; set xrange [*:*]; set yrange [*:*]
set key; set grid lw 0.5 lc rgb "#dddddd"
set xtics auto; set ytics auto

set output out . "/fig3.svg"
set size ratio -1
set xrange [-1.2:1.2]; set yrange [-1.2:1.2]
set xlabel "λ_{T1}/(μ λ_N)"; set ylabel "λ_{T2}/(μ λ_N)"
unset key
plot f("fig3") with filledcurves fc rgb "#dbe6f4" notitle, f("fig3") with lines ls 1
set key

set output out . "/fig4.svg"
set xrange [-1.2:1.2]; set yrange [-0.9:0.9]
set xlabel "λ_T/(μ λ_N)"; set ylabel "λ_τ/(μ λ_N)"
plot f("fig4") index 0 with lines ls 1 title "uniform", f("fig4") index 1 with lines ls 2 title "Hertz"
set size noratio

set key bottom right
set output out . "/fig6.svg"
set xrange [0:5]; set yrange [0:1.1]
set xlabel "u = v/(R ω)"; set ylabel "λ_T/(μ λ_N)"
plot f("fig6") index 0 with lines ls 1 title "uniform", f("fig6") index 1 with lines ls 2 title "Hertz"

set output out . "/fig7.svg"
set yrange [0:0.75]
set xlabel "1/u = R ω/v"; set ylabel "λ_τ/(μ λ_N)"
plot f("fig7") index 0 with lines ls 1 title "uniform", f("fig7") index 1 with lines ls 2 title "Hertz", \
     2.0/3 with lines lc rgb "#1f4e8c" dt 3 notitle, 3*pi/16 with lines lc rgb "#b5461e" dt 3 notitle

array held[5] = [0.0, 0.1, 0.3, 0.6, 1.0]
set output out . "/fig8.svg"
set xrange [-1:1]; set yrange [-1.1:1.1]
set xlabel "v"; set ylabel "λ_T/(μ λ_N)"
plot for [k=0:4] f("fig8") index k with lines ls k+1 dt 1 title sprintf("R ω = %g", held[k+1])

set output out . "/fig9.svg"
set yrange [-0.75:0.75]
set xlabel "R ω"; set ylabel "λ_τ/(μ λ_N)"
plot for [k=0:4] f("fig9") index k with lines ls k+1 dt 1 title sprintf("v = %g", held[k+1])

set output out . "/series.svg"
set key top right
set xrange [0.6:1.4]; set yrange [-1:11]
set xlabel "u = v/(R ω)"; set ylabel "10^3 (λ_T by the cut series - λ_T)/(μ λ_N)"
plot f("series") index 0 using 1:(1e3*($2-$3)) with lines ls 2 dt 1 title "series in u", \
     f("series") index 1 using 1:(1e3*($2-$3)) with lines ls 1 title "series in 1/u", 0 with lines lc rgb "#444444" notitle
