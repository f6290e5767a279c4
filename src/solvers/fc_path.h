/* solvers/fc_path.h - the text that tells which methods the islands went through. */
#ifndef SP_SOLVERS_FC_PATH_H
#define SP_SOLVERS_FC_PATH_H

/* Add "name count" at this place of a path (SP_FC_PATH bytes); nothing if count is 0 or there is no
 * room.  Returns the place behind it. */
int sp_fc_path_add(char *path, int at, const char *name, int count);

#endif
