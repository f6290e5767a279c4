/* Fuzz target for the reader of Siconos' text form: any bytes are read without crash, hang or leak,
 * what was read is a sound problem, and no more memory is taken than the bytes can back.  'make
 * fuzz' builds and runs it. */
#include "fuzz_problem.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    return fuzz_read(sp_problem_read_text, data, size);
}
