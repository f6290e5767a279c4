#include "cli/options.h"
#include "cli/talk.h"
#include "io/schema.h"

/* specht schema */
static int schema_command(const sp_command *self, int argc, char **argv)
{
    bool markdown = false;
    const sp_option option[] = {
        {"markdown", 0, SP_OPTION_FLAG, NULL, "print the reference of all keys as Markdown tables",
         &markdown},
    };
    int code;
    sp_args args;
    if (!sp_args_read(&args, self, &(sp_usage){option, 1, 0, 0}, argc, argv, &code)) {
        return code;
    }
    if (markdown) {
        sp_schema_markdown(stdout);
    } else {
        sp_schema_json(stdout);
    }
    sp_args_free(&args);
    return SP_EXIT_OK;
}

const sp_command sp_cmd_schema = {
    .name = "schema",
    .purpose = "print a JSON Schema of model files, for editors that complete and check",
    .usage = "[options]",
    .example = "specht schema > specht.schema.json",
    .notes = "In an editor with the YAML language server, begin the model with the line\n"
             "  # yaml-language-server: $schema=specht.schema.json",
    .run = schema_command,
};
