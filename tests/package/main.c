/* A program of somebody else, built against the installed library. */
#include <stdio.h>

#include <specht/base.h>

int main(void)
{
    printf("specht %s, %s\n", sp_version(), sp_status_text(SP_OK));
    return 0;
}
