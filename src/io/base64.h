/* io/base64.h - bytes as text, RFC 4648 with padding, and numbers as bytes, little end first. */
#ifndef SP_IO_BASE64_H
#define SP_IO_BASE64_H

#include <stddef.h>
#include <stdio.h>

/* Write n bytes as 4 ceil(n / 3) letters; a failure shows in ferror(file). */
void sp_base64_write(FILE *file, const void *bytes, size_t n);

/* Put a number as 4 or 8 bytes, on every machine in the same order. */
void sp_bytes_float(unsigned char *at, double value);
void sp_bytes_double(unsigned char *at, double value);
void sp_bytes_word(unsigned char *at, unsigned long value);

#endif
