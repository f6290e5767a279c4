#include "io/report_choice.h"

#include "io/result_h5.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    FRAMES_GOOD = 1000,  /* fewer are shown only if nothing else can be left out        */
    FRAMES_LEAST = 200,  /* however large the page becomes                              */
    EVENT_TEXT = 200,    /* bytes of an event on the page                               */
    BYTES_LEAST = 500000 /* for frames, however many events there are                   */
};

/* How readily a channel is left out; those of rank 0 never are. */
enum { RANK_MAIN, RANK_CONTACT, RANK_BODY, RANK_PERCUSSION, RANK_IDLE, RANK_N };

/* What there is to choose from. */
typedef struct stock {
    sp_result *r;
    const sp_result_info *info;
    int n_channel;          /* with the time                          */
    unsigned char *touched; /* n_contact: it was closed at some time */
} stock;

/* The rank of a channel. */
static int rank_of(const stock *s, int channel)
{
    int set;
    size_t column;
    sp_result_locate(s->r, channel, &set, &column);
    if (set == SP_DATA_POSE || set == SP_DATA_VELOCITY) {
        return RANK_BODY;
    }
    if (set < SP_DATA_G_N || set > SP_DATA_LAMBDA_D) {
        return RANK_MAIN;
    }
    return !s->touched[column]                        ? RANK_IDLE
           : set == SP_DATA_P_N || set == SP_DATA_P_T ? RANK_PERCUSSION
                                                      : RANK_CONTACT;
}

/* Note the contacts that were closed in a frame. */
static sp_status note_states(stock *s, sp_error *err)
{
    const size_t width = (size_t)s->info->n_contact, rows = (1 << 19) / (width + 1) + 1;
    double *state = width > 0 ? malloc(rows * width * sizeof *state) : NULL;
    sp_status status = SP_OK;
    for (size_t first = 0; state && status == SP_OK && first < s->info->n_frame; first += rows) {
        const size_t left = s->info->n_frame - first, n = left < rows ? left : rows;
        status = sp_result_read_set(s->r, SP_DATA_STATE, first, n, state, err);
        for (size_t k = 0; status == SP_OK && k < n * width; k++) {
            s->touched[k % width] |= state[k] > 0.0;
        }
    }
    const bool failed = width > 0 && !state;
    free(state);
    return failed ? SP_FAIL(err, SP_E_MEMORY, "out of memory for the report") : status;
}

/* Note the contacts that have an event. */
static sp_status note_events(stock *s, sp_error *err)
{
    sp_event event[64];
    const size_t block = sizeof event / sizeof *event;
    for (size_t first = 0; first < s->info->n_event; first += block) {
        const size_t left = s->info->n_event - first, n = left < block ? left : block;
        SP_TRY(sp_result_read_events(s->r, first, n, event, err));
        for (size_t k = 0; k < n; k++) {
            if (event[k].slot >= 0 && event[k].slot < s->info->n_contact) {
                s->touched[event[k].slot] = 1;
            }
        }
    }
    return SP_OK;
}

/* Bytes of text that one frame takes if channels up to a rank are shown. */
static double frame_bytes(const stock *s, const size_t *count, int rank)
{
    double bytes = 8.0 + 36.0; /* time, ledger */
    for (int k = 0; k <= rank; k++) {
        bytes += 4.0 * (double)count[k];
    }
    for (int i = 0; i < s->info->n_contact; i++) {
        bytes += s->touched[i] || rank >= RANK_IDLE ? 25.0 : 0.0;
    }
    const sp_scene *scene = sp_result_scene(s->r);
    bytes += 4.0 * (double)sp_result_width(s->r, SP_DATA_POSE);
    bytes += scene ? 24.0 * scene->n_spring : 0.0;
    for (int i = 0; scene && i < scene->n_body; i++) {
        bytes += 4.0 * scene->body[i].flex.n_mode;
    }
    return 4.0 / 3.0 * bytes;
}

/* The highest rank that leaves room for enough frames, and for how many. */
static int choose_rank(const stock *s, size_t most, size_t bytes, size_t *frames)
{
    size_t count[RANK_N] = {0};
    const size_t wanted = s->info->n_frame < most ? s->info->n_frame : most;
    const size_t good = wanted < FRAMES_GOOD ? wanted : FRAMES_GOOD;
    const double events = (double)EVENT_TEXT * (double)s->info->n_event;
    const double left = (double)bytes - events > BYTES_LEAST ? (double)bytes - events : BYTES_LEAST;
    for (int c = 1; c < s->n_channel; c++) {
        count[rank_of(s, c)]++;
    }
    int rank = RANK_N - 1;
    while (rank > 0 && left / frame_bytes(s, count, rank) < (double)good) {
        rank--;
    }
    const double fit = left / frame_bytes(s, count, rank);
    const size_t least = most < FRAMES_LEAST ? most : FRAMES_LEAST;
    *frames = fit < (double)least ? least : fit < (double)most ? (size_t)fit : most;
    return rank;
}

/* The channels and contacts up to a rank. */
static bool choose_channels(const stock *s, int rank, sp_choice *choice)
{
    choice->channel = malloc((size_t)s->n_channel * sizeof *choice->channel);
    choice->contact = malloc(((size_t)s->info->n_contact + 1) * sizeof *choice->contact);
    if (!choice->channel || !choice->contact) {
        return false;
    }
    for (int c = 1; c < s->n_channel; c++) {
        if (rank_of(s, c) <= rank) {
            choice->channel[choice->n_channel++] = c;
        }
    }
    for (int i = 0; i < s->info->n_contact; i++) {
        if (s->touched[i] || rank >= RANK_IDLE) {
            choice->contact[choice->n_contact++] = (size_t)i;
        }
    }
    return true;
}

/* qsort: by dataset, then by number; the channels of a body or contact stand in several. */
typedef struct placed {
    int set, channel;
} placed;

static int by_set(const void *a, const void *b)
{
    const placed *x = a, *y = b;
    return x->set != y->set ? (x->set > y->set) - (x->set < y->set)
                            : (x->channel > y->channel) - (x->channel < y->channel);
}

/* Sort the channels by the dataset they stand in. */
static bool sort_channels(const stock *s, sp_choice *choice)
{
    placed *list = malloc((choice->n_channel + 1) * sizeof *list);
    for (size_t k = 0; list && k < choice->n_channel; k++) {
        size_t column;
        list[k].channel = choice->channel[k];
        sp_result_locate(s->r, list[k].channel, &list[k].set, &column);
    }
    if (list) {
        qsort(list, choice->n_channel, sizeof *list, by_set);
    }
    for (size_t k = 0; list && k < choice->n_channel; k++) {
        choice->channel[k] = list[k].channel;
    }
    free(list);
    return list != NULL;
}

/* The channels whose extremes are kept in every part of the run: outputs, then coordinates,
 * velocities and energies. */
static int *watched_channels(const stock *s, int *n)
{
    int *watched = malloc((size_t)s->n_channel * sizeof *watched);
    *n = 0;
    for (int pass = 0; watched && pass < 2; pass++) {
        for (int c = 1; c < s->n_channel; c++) {
            int set;
            size_t column;
            sp_result_locate(s->r, c, &set, &column);
            const bool output = set >= SP_DATA_FIXED;
            const bool other = set == SP_DATA_Q || set == SP_DATA_U ||
                               (set >= SP_DATA_KINETIC && set <= SP_DATA_IMPACTS);
            if (pass == 0 ? output : other) {
                watched[(*n)++] = c;
            }
        }
    }
    return watched;
}

/* Say what is left out. */
static void write_note(const stock *s, const sp_choice *choice, sp_page_extent *extent)
{
    static const char *const left_out[RANK_N] = {
        [RANK_MAIN] = "channels of contacts and bodies",
        [RANK_CONTACT] = "channels of bodies, percussions and contacts that never closed",
        [RANK_BODY] = "percussions, and contacts that never closed",
        [RANK_PERCUSSION] = "contacts that never closed",
        [RANK_IDLE] = "nothing",
    };
    size_t used = 0;
    int rank = 0;
    for (size_t k = 0; k < choice->n_channel; k++) {
        const int its = rank_of(s, choice->channel[k]);
        rank = its > rank ? its : rank;
    }
    if (!choice->frames.all) {
        used = (size_t)snprintf(
            extent->note, sizeof extent->note,
            "%zu of %zu frames: those around %s, those with extreme values, others evenly spread",
            extent->frames, extent->frames_in,
            choice->frames.events ? "every event" : "the strongest events of each time span");
    }
    if (extent->channels < extent->channels_in) {
        snprintf(extent->note + used, sizeof extent->note - used,
                 "%s%zu of %zu channels: without %s", used > 0 ? "; " : "", extent->channels,
                 extent->channels_in, left_out[rank]);
    }
}

/* The steps of sp_choice_make once the stock is there. */
static sp_status make(stock *s, size_t most, size_t bytes, sp_choice *choice,
                      sp_page_extent *extent, sp_error *err)
{
    size_t frames;
    int n_watched;
    SP_TRY(note_states(s, err));
    SP_TRY(note_events(s, err));
    const int rank = choose_rank(s, most, bytes, &frames);
    int *watched = watched_channels(s, &n_watched);
    sp_status status = watched && choose_channels(s, rank, choice) && sort_channels(s, choice)
                           ? SP_OK
                           : SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    if (status == SP_OK) {
        status = sp_frames_choose(s->r, frames, n_watched, watched, &choice->frames, err);
    }
    free(watched);
    extent->frames_in = s->info->n_frame;
    extent->frames = choice->frames.n;
    extent->channels_in = (size_t)s->n_channel - 1;
    extent->channels = choice->n_channel;
    if (status == SP_OK) {
        write_note(s, choice, extent);
    }
    return status;
}

sp_status sp_choice_make(sp_result *result, size_t most, size_t bytes, sp_choice *choice,
                         sp_page_extent *extent, sp_error *err)
{
    stock s = {.r = result,
               .info = sp_result_about(result),
               .n_channel = sp_result_about(result)->n_channel};
    memset(choice, 0, sizeof *choice);
    s.touched = calloc((size_t)s.info->n_contact + 1, 1);
    const sp_status status = s.touched ? make(&s, most, bytes, choice, extent, err)
                                       : SP_FAIL(err, SP_E_MEMORY, "out of memory for the report");
    free(s.touched);
    if (status != SP_OK) {
        sp_choice_free(choice);
    }
    return status;
}

void sp_choice_free(sp_choice *choice)
{
    sp_frames_free(&choice->frames);
    free(choice->channel);
    free(choice->contact);
    memset(choice, 0, sizeof *choice);
}
