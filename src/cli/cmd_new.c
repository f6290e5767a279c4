#include "cli/options.h"
#include "cli/talk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* A small machine that shows units, parameters, contacts with friction, outputs and plots. */
static const char starter[] =
    "# A pendulum swings against a block on a rough floor and pushes it away.\n"
    "#   specht check FILE   what the file describes, or all its errors\n"
    "#   specht run FILE     simulate it; then: specht plot, specht events, specht csv\n"
    "specht: 1                    # version of the language\n"
    "name: Pendulum and block\n"
    "space: planar                # x to the right, y up, angles counter-clockwise\n"
    "gravity: 9.81 m/s^2          # downwards\n"
    "\n"
    "parameters:                  # change one without an editor: specht run FILE --set mu=0.1\n"
    "  l: 400 mm                  # quantities have units, a bare number is SI\n"
    "  r: 40 mm\n"
    "  a: 60 mm\n"
    "  m: 0.5 kg\n"
    "  mu: 0.3                    # friction\n"
    "  eps: 0.6                   # restitution: speed after an impact by speed before it\n"
    "\n"
    "bodies:                      # each hangs on another by a joint; the ground is fixed\n"
    "  ground: {contours: {floor: {line: [0, 1]}}}          # given by its normal\n"
    "  bob:\n"
    "    mass: m\n"
    "    inertia: m*r^2/2                                   # about the centre of mass\n"
    "    center: [0, -l]\n"
    "    joint: {revolute: ground, at: [0, l + a/2]}\n"
    "    contours: {rim: {circle: r, at: [0, -l]}}\n"
    "  block:                     # no joint: free to slide, turn and lift off\n"
    "    mass: 2*m\n"
    "    inertia: 2*m*a^2/6\n"
    "    contours: {box: {polygon: [[-a/2, -a/2], [a/2, -a/2], [a/2, a/2], [-a/2, a/2]]}}\n"
    "\n"
    "contacts:                    # what may touch, and by which law\n"
    "  push:  {between: [bob.rim, block.box], law: {eps_N: eps}}\n"
    "  slide: {between: [block.box, ground.floor], law: {mu: mu}}\n"
    "\n"
    "start: {bob.phi: -60 deg, block.x: r + a/2 + 1 mm, block.y: a/2}   # the rest is zero\n"
    "\n"
    "plots:                       # what 'specht plot' draws, over time unless x is given\n"
    "  block:    {y: [block.x, block.vx * 0.1 s], title: Place and speed of the block}\n"
    "  pendulum: {x: bob.phi, y: bob.omega}\n"
    "\n"
    "run: {until: 2 s, output_step: 2 ms}      # or --method moreau --step 0.1ms\n";

/* Write the model to a file that must be new. */
static int write_starter(const char *path)
{
    FILE *file = fopen(path, "wx");
    if (!file) {
        if (errno == EEXIST) {
            sp_cli_complain("new: '%s' is there already, it stays as it is", path);
        } else {
            sp_cli_complain("new: cannot write '%s': %s", path, strerror(errno));
        }
        return SP_EXIT_USAGE;
    }
    const bool written = fputs(starter, file) >= 0;
    if (fclose(file) != 0 || !written) {
        sp_cli_complain("new: cannot write '%s': %s", path, strerror(errno));
        remove(path);
        return SP_EXIT_FAILED;
    }
    printf("  %s   %s specht run %s\n", path, sp_cli_arrow(), path);
    return SP_EXIT_OK;
}

/* specht new */
static int new_command(const sp_command *self, int argc, char **argv)
{
    int code;
    sp_args args;
    if (!sp_args_read(&args, self, &(sp_usage){NULL, 0, 0, 1}, argc, argv, &code)) {
        return code;
    }
    code = write_starter(args.word.n > 0 ? args.word.item[0] : "machine.yaml");
    sp_args_free(&args);
    return code;
}

const sp_command sp_cmd_new = {
    .name = "new",
    .purpose = "write a commented model to start from",
    .usage = "[FILE.yaml]",
    .example = "specht new ball.yaml && specht run ball.yaml && specht plot ball.h5",
    .notes = "FILE is machine.yaml by default.  An existing file is never overwritten.",
    .run = new_command,
};
