/* io/result_files.h - the files that a model file includes or names, kept in the result of its run:
 * what the run was made of is known when they are changed or gone.  The group /files holds them,
 * each a dataset of bytes with its name and kind; the main file is the attribute 'model_text'. */
#ifndef SP_IO_RESULT_FILES_H
#define SP_IO_RESULT_FILES_H

#include "model/spec.h"
#include "specht/result.h"

/* One of them.  Bytes have a zero behind them. */
typedef struct sp_stored_file {
    const char *name; /* as messages know an included file; as written in the model file: a mesh */
    const char *from; /* the file that names it; "" for included ones                            */
    bool mesh;
    const char *bytes;
    size_t n;
} sp_stored_file;

/* How many files beside the main one a spec was read from. */
int sp_spec_n_file(const sp_spec *spec);

/* File i of them, included ones first; its texts live as long as the spec. */
sp_stored_file sp_spec_file(const sp_spec *spec, int i);

/* How many files a result holds. */
int sp_result_n_file(const sp_result *result);

/* File i of them, its texts live as long as the result.  SP_E_IO if it is not whole. */
sp_status sp_result_file(sp_result *result, int i, sp_stored_file *file, sp_error *err);

#endif
