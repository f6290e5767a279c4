/* studies/extra.c - tables that points leave behind, as bytes, and the list of kinds with them. */
#include "studies/kind.h"

#include <stdio.h>
#include <string.h>

static const sp_study_runner *const runners[] = {&sp_study_orbit, &sp_study_continue,
                                                 &sp_study_lyapunov};

const sp_study_runner *sp_study_runner_of(const char *word)
{
    for (size_t k = 0; k < sizeof runners / sizeof *runners; k++) {
        if (strcmp(runners[k]->word, word) == 0) {
            return runners[k];
        }
    }
    return NULL;
}

static uint64_t count_of(const sp_extra *head)
{
    return head->rows * (head->cols > 0 ? head->cols : 1);
}

bool sp_extra_add(sp_outcome *o, const char *name, uint64_t rows, uint64_t cols,
                  const double *value)
{
    sp_extra head = {.rows = rows, .cols = cols};
    snprintf(head.name, sizeof head.name, "%s", name);
    const size_t n = (size_t)count_of(&head) * sizeof *value;
    unsigned char *to = sp_bytes_more(&o->extra, sizeof head + n);
    if (!to) {
        return false;
    }
    memcpy(to, &head, sizeof head);
    if (n > 0) {
        memcpy(to + sizeof head, value, n);
    }
    return true;
}

bool sp_extra_next(const sp_bytes *bytes, size_t *at, sp_extra *head, const double **value)
{
    if (bytes->n < *at + sizeof *head) {
        return false;
    }
    memcpy(head, bytes->data + *at, sizeof *head);
    const uint64_t n = count_of(head), left = (bytes->n - *at - sizeof *head) / sizeof **value;
    if (head->rows > left || (head->cols > 0 && head->rows > left / head->cols)) {
        return false;
    }
    head->name[sizeof head->name - 1] = '\0';
    *value = (const double *)(const void *)(bytes->data + *at + sizeof *head);
    *at += sizeof *head + (size_t)n * sizeof **value;
    return true;
}
