/* model/grammar_study.c - the keys of study files: data only. */
#include "model/grammar_parts.h"

/* ---- what is varied -------------------------------------------------------------------------- */

static const key range_keys[] = {
    KEY("from", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .text = "First value."),
    KEY("to", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .text = "Last value."),
    KEY("n", sp_type_integer,
        .text = "How many values, both ends included; without it a range to sample or search in."),
    KEY("log", sp_type_flag, .standard = "no", .text = "yes: in equal ratios."),
    KEY("start", sp_type_quantity, .level = 'Q', .standard = "the middle",
        .text = "Where `optimize` begins, and about which `sensitivity: {method: local}` differs."),
    END,
};
static const element range_element = {
    .name = "range", .text = "Values of a parameter that is varied.", .common = range_keys};
static const type range = {.what = "a list of values, or a map such as {from: 0, to: 1, n: 11}",
                           .item = &sp_type_text,
                           .n_min = 1,
                           .element = &range_element};
static const type ranges = {
    .what = "a map from parameters to their values", .named = &range, .names = SP_NAMES_PATH};

static const word method_words[] = {WORD("random"), WORD("latin"), WORD("sobol"), WORD_END};
static const type sampling_method = {
    .what = "random, latin or sobol", .leaf = SP_LEAF_WORD, .word = method_words};
static const key sampling_keys[] = {
    KEY("method", sampling_method, .flags = SP_KEY_NEEDED,
        .text = "random; latin: a latin hypercube; sobol: a scrambled Sobol sequence."),
    KEY("n", sp_type_integer, .flags = SP_KEY_NEEDED, .text = "How many points."),
    END,
};
MAP(sampling, "sampling", "Points in the ranges of `vary` instead of a grid.",
    "a map such as {method: sobol, n: 256}");

/* ---- how points are run -----------------------------------------------------------------------
 */

static const word start_words[] = {WORD("model"), WORD("previous"), WORD("both"), WORD_END};
static const key random_keys[] = {
    KEY("random", sp_type_integer, .flags = SP_KEY_NEEDED,
        .text = "How many starts at each point."),
    KEY("of", ranges, .flags = SP_KEY_NEEDED,
        .text = "Ranges of start values, by the names of `start`."),
    END,
};
static const element random_element = {
    .name = "random start", .text = "Starts drawn from ranges.", .common = random_keys};
static const type study_start = {
    .what =
        "model, previous, both, or a map such as {random: 10, of: {ball.y: {from: 0 m, to: 1 m}}}",
    .leaf = SP_LEAF_WORD,
    .word = start_words,
    .element = &random_element};

static const type setting = {.what = "a value", .leaf = SP_LEAF_TEXT};
static const type settings = {.what = "a map of values", .named = &setting, .names = SP_NAMES_PATH};

static const key settle_keys[] = {
    KEY("block", sp_type_text, .flags = SP_KEY_NEEDED,
        .text = "Measures of blocks of this length are compared, '10 periods'."),
    KEY("tolerance", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1e-6",
        .text = "The point is settled when no measure changes by more, relative to its size."),
    KEY("most", sp_type_integer, .standard = "100",
        .text = "Blocks after which it is given up, with the status `unsettled`."),
    END,
};
MAP(settle, "settle", "Go on until measures do not change any more.",
    "a map such as {block: 10 periods}");

/* ---- optimisation ------------------------------------------------------------------------------
 */

static const key fit_keys[] = {
    KEY("data", sp_type_text, .flags = SP_KEY_NEEDED, .text = "CSV file with a line of names."),
    KEY("vary", sp_type_text, .flags = SP_KEY_NEEDED,
        .text = "The parameter that its first column has."),
    KEY("measure", sp_type_name, .flags = SP_KEY_NEEDED,
        .text = "The measure that its second column has."),
    END,
};
MAP(fit, "fit", "Least mean square of the difference to measured points.",
    "a map such as {data: curve.csv, vary: omega, measure: amplitude}");

static const word search_words[] = {WORD("cmaes"), WORD("bobyqa"), WORD("cobyla"), WORD("sbplx"),
                                    WORD("crs"),   WORD("isres"),  WORD("direct"), WORD_END};
static const type search_method = {.what = "cmaes, bobyqa, cobyla, sbplx, crs, isres or direct",
                                   .leaf = SP_LEAF_WORD,
                                   .word = search_words};
static const key optimize_keys[] = {
    KEY("minimize", sp_type_name, .text = "The measure that shall be small."),
    KEY("maximize", sp_type_name, .text = "Or large."),
    KEY("fit", fit, .text = "Or how far a measure is from a measured curve."),
    KEY("worst_over", ranges,
        .text = "One parameter, whose worst case counts; between the points of a range by a "
                "polynomial."),
    KEY("at_most", settings, .text = "Limits of measures from above."),
    KEY("at_least", settings, .text = "Limits of measures from below."),
    KEY("method", search_method, .standard = "cmaes",
        .text =
            "CMA-ES, or one of NLopt where it is installed: bobyqa, cobyla, sbplx (local), crs, "
            "isres, direct (global)."),
    KEY("population", sp_type_integer, .standard = "4 + 3 log(n)",
        .text = "Points of a generation."),
    KEY("generations", sp_type_integer, .standard = "200", .text = "At most so many, of a search."),
    KEY("restarts", sp_type_integer, .standard = "0",
        .text = "CMA-ES: so many more searches, from anywhere in the ranges, each with twice the "
                "population of the one before."),
    KEY("budget", sp_type_integer, .text = "At most so many candidates in all."),
    KEY("tolerance", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1e-6",
        .text = "Ends when the search is narrower than this part of every range."),
    END,
};
MAP(optimize, "optimize", "What is looked for.", "a map such as {minimize: worst}");

/* ---- basins, sensitivity, spectra --------------------------------------------------------------
 */

static const type cells = {.what = "the size of a cell, or a map from sampled values to sizes",
                           .leaf = SP_LEAF_TEXT,
                           .named = &setting,
                           .names = SP_NAMES_PATH};
static const key basin_keys[] = {
    KEY("cell", cells, .flags = SP_KEY_NEEDED,
        .text = "Size of the cells of the grid of the sampled values: one for all, or `{x: 0.01 m, "
                "v: 0.1 m/s}`."),
    KEY("recurrences", sp_type_integer, .standard = "100",
        .text = "An attractor is reached when so many samples in a row fall in cells that the run "
                "has been in."),
    KEY("states", sp_type_integer, .standard = "100",
        .text = "So many samples of it are then compared with the attractors of other runs."),
    END,
};
MAP(basin, "basin", "Which attractor each start leads to.", "a map such as {cell: 0.01}");

static const word sensitivity_words[] = {WORD("local"), WORD("morris"), WORD("sobol"), WORD_END};
static const type sensitivity_method = {
    .what = "local, morris or sobol", .leaf = SP_LEAF_WORD, .word = sensitivity_words};
static const key sensitivity_keys[] = {
    KEY("method", sensitivity_method, .flags = SP_KEY_NEEDED,
        .text = "local: differences about one point; morris: elementary effects; sobol: shares of "
                "the variance."),
    KEY("n", sp_type_integer, .standard = "20 or 1024",
        .text = "Walks of morris, with a point more than parameters each; samples of sobol, with "
                "two points more than parameters each."),
    KEY("step", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0.01",
        .text = "Of local, as a part of every range."),
    END,
};
MAP(sensitivity, "sensitivity", "How much measures depend on parameters.",
    "a map such as {method: sobol, n: 1024}");

static const word window_words[] = {WORD("hann"), WORD("none"), WORD_END};
static const type window = {.what = "hann or none", .leaf = SP_LEAF_WORD, .word = window_words};
static const key spectrum_keys[] = {
    KEY("window", window, .standard = "hann",
        .text = "hann, or none where the window is a whole number of periods."),
    END,
};
MAP(spectrum, "spectrum",
    "Amplitudes over frequency of everything that `sample: {every: ...}` keeps.",
    "a map such as {window: hann}");

/* ---- orbits ------------------------------------------------------------------------------------
 */

static const key section_keys[] = {
    KEY("crossing", sp_type_text, .text = "A coordinate that passes `level` upwards."),
    KEY("level", sp_type_quantity, .level = 'Q', .standard = "0", .text = "That value of it."),
    KEY("contact", sp_type_text,
        .text = "Or a contact: its events of one kind, the first in the second half of the "
                "transient."),
    END,
};
MAP(section, "section", "What returns in a machine without forcing.",
    "a map such as {crossing: phi} or {contact: belt}");

/* Keys of an orbit, also of those along a branch. */
#define ORBIT_KEYS                                                                                 \
    KEY("periods", sp_type_integer, .standard = "1",                                               \
        .text =                                                                                    \
            "So many periods of the forcing, or returns to the section, are one of the orbit."),   \
        KEY("transient", sp_type_quantity, .level = 'Q', .standard = "50",                         \
            .text =                                                                                \
                "So many periods are run first; of machines with a `section` so long a time."),    \
        KEY("section", section, .text = "Of machines without forcing, instead of `period`."),      \
        KEY("tolerance", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1e-10",         \
            .text = "An orbit closes so well, over the sizes of the motion."),                     \
        KEY("most", sp_type_integer, .standard = "30", .text = "Steps of Newton's method.")
static const key orbit_keys[] = {ORBIT_KEYS, END};
static const key continuation_keys[] = {
    KEY("parameter", ranges, .flags = SP_KEY_NEEDED,
        .text = "The parameter and its range; the branch begins at `start`, or else at `from`."),
    ORBIT_KEYS,
    KEY("step", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0.02",
        .text = "First step along the branch: of the range of the parameter and the sizes of the "
                "motion."),
    KEY("longest", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "0.1",
        .text = "Longest step."),
    KEY("orbits", sp_type_integer, .standard = "200", .text = "At most so many on each branch."),
    KEY("doublings", sp_type_integer, .standard = "0",
        .text = "So many times branches of doubled period are followed, too (0 to 8)."),
    END,
};
MAP(continuation, "continue", "Periodic motions along a parameter, through folds.",
    "a map such as {parameter: {mu: {from: 0, to: 1}}}");

static const key lyapunov_keys[] = {
    KEY("periods", sp_type_integer, .standard = "1000", .text = "Periods that are averaged over."),
    KEY("every", sp_type_quantity, .level = 'Q', .unit = "s",
        .text =
            "Of machines without forcing, instead of `period`: directions are parted so often."),
    KEY("transient", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "100",
        .text = "So many periods are run first."),
    KEY("blocks", sp_type_integer, .standard = "20",
        .text = "Parts of equal length, whose means give the standard error."),
    END,
};
MAP(lyapunov, "lyapunov", "How fast neighbours of a motion come apart.",
    "a map such as {periods: 1000}");

MAP(orbit, "orbit", "Which periodic motion is looked for.", "a map such as {periods: 1}");

/* ---- the file ----------------------------------------------------------------------------------
 */

static const word study_words[] = {WORD("1"), WORD_END};
static const type study_version = {
    .what = "the version of the language, 1", .leaf = SP_LEAF_WORD, .word = study_words};
static const word kind_words[] = {
    WORD("sweep"),       WORD("bifurcation"), WORD("response"), WORD("optimize"), WORD("basin"),
    WORD("sensitivity"), WORD("orbit"),       WORD("continue"), WORD("lyapunov"), WORD_END};
static const type kind = {
    .what =
        "sweep, bifurcation, response, optimize, basin, sensitivity, orbit, continue or lyapunov",
    .leaf = SP_LEAF_WORD,
    .word = kind_words};

static const key study_keys[] = {
    KEY("study", study_version, .flags = SP_KEY_NEEDED,
        .text = "Version of the language; write `study: 1`."),
    KEY("kind", kind, .standard = "sweep", .text = "What is made of the points."),
    TEXT_KEY,
    KEY("model", sp_type_text, .flags = SP_KEY_NEEDED,
        .text = "The model file, seen from this one."),
    KEY("set", settings,
        .text = "Leaves of the model that are changed at all points, as with `--set`."),
    KEY("vary", ranges,
        .text = "Parameters, or paths of leaves such as `start.ball.y`, and their values; all "
                "combinations, the first one fastest."),
    KEY("points", sp_type_text,
        .text = "CSV file of points: a line of names, then a line for each."),
    KEY("sampling", sampling, .text = "Points in the ranges of `vary`."),
    KEY("seed", sp_type_integer, .standard = "1",
        .text = "Of `sampling`, random starts and `optimize`."),
    KEY("repeat", sp_type_integer, .standard = "1",
        .text = "So many runs of each point, with the model's `seed` rising by one."),
    KEY("period", sp_type_text,
        .text = "Expression of the model's parameters; times may then be written `300 periods`."),
    KEY("run", settings,
        .text = "Leaves of the model's section `run`: until, measure_from, method, ..."),
    KEY("measures", sp_type_measures, .level = 'F',
        .text = "As in models, beside those of the model."),
    KEY("sample", sp_type_sample, .text = "As in models, instead of the model's."),
    KEY("start", study_start, .standard = "model",
        .text = "model: as the model says; previous: where the point before ended, at t = 0; both: "
                "so up and down; random."),
    KEY("settle", settle, .text = "Go on until measures do not change any more."),
    KEY("limit", sp_type_quantity, .level = 'Q', .unit = "s", .text = "Wall clock for a point."),
    KEY("optimize", optimize, .text = "What `kind: optimize` looks for."),
    KEY("basin", basin, .text = "How `kind: basin` distinguishes attractors."),
    KEY("sensitivity", sensitivity, .text = "The method of `kind: sensitivity`."),
    KEY("continue", continuation, .text = "The branch that `kind: continue` follows."),
    KEY("lyapunov", lyapunov, .text = "How `kind: lyapunov` averages."),
    KEY("orbit", orbit, .text = "Which periodic motion `kind: orbit` looks for."),
    KEY("spectrum", spectrum, .text = "Amplitudes over frequency, too, of any kind."),
    END,
};
const sp_grammar_element sp_grammar_study = {
    .name = "study",
    .text = "What is varied in a model, and what is kept of each run.",
    .common = study_keys,
};
