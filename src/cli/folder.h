/* cli/folder.h - where the program lies. */
#ifndef SP_CLI_FOLDER_H
#define SP_CLI_FOLDER_H

#include <stddef.h>

/* The folder that the program lies in, empty if nobody knows. */
void sp_cli_program_folder(char *folder, size_t size);

#endif
