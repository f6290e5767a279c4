/* expr/compile.h - how a text becomes a program; for the files of this room only.
 *
 *     token.c  text -> symbols          parse.c  symbols -> values, by operator precedence
 *     check.c  dimensions, folding      emit.c   values -> byte code */
#ifndef SP_EXPR_COMPILE_H
#define SP_EXPR_COMPILE_H

#include "expr/program.h"
#include "expr/token.h"

/* Why a constant has no finite value; reported only if the constant is needed in the end. */
typedef struct sp_poison {
    size_t offset;
    char text[256];
} sp_poison;

typedef enum { SP_NODE_CONST, SP_NODE_INPUT, SP_NODE_OP } sp_node_kind;

/* An intermediate result.  Operands have smaller indices, so the order of nodes is one of
 * evaluation. */
typedef struct sp_node {
    sp_node_kind kind;
    sp_op op;
    int x, y, z; /* operands                                       */
    double value;
    const sp_poison *poison;
    int input; /* the caller's id */
    bool time; /* the input is time */
} sp_node;

/* A node with what the check must know about it, and the text it came from. */
typedef struct sp_value {
    int node;
    sp_dim dim;
    bool any_dim;      /* the literal 0                                   */
    bool condition;    /* yes or no                                       */
    bool lone_literal; /* a number without unit, perhaps with a sign      */
    bool literal;
    size_t begin, end;
} sp_value;

/* One text being read: that of the caller, or the body of a function. */
typedef struct sp_frame {
    sp_reader in;
    const char *function; /* its name, NULL: the caller's text */
    const sp_function *definition;
    const sp_value *argument;
} sp_frame;

/* An operator, parenthesis or call that waits for its right end. */
typedef struct sp_pending {
    sp_token_kind kind; /* of an operator; SP_TOK_OPEN: parenthesis, SP_TOK_NAME: call */
    int precedence;     /* 0: parenthesis or call                                      */
    bool prefix;
    size_t begin, name_end; /* place, end of a function's name   */
    int n_argument;         /* of a call: commas seen so far + 1 */
} sp_pending;

typedef struct sp_compiler {
    sp_arena *memory; /* scratch, given back when the compilation ends */
    const sp_resolver *resolver;
    bool check_units;
    sp_node *node;
    sp_value *value;        /* stack */
    sp_pending *pending;    /* stack */
    const sp_table **table; /* used so far */
    int n_node, cap_node, n_value, cap_value, n_pending, cap_pending, n_table, cap_table;
    int n_symbol; /* read so far */
    int depth;
    const char *calling[SP_EXPR_DEPTH_MAX + 1]; /* functions being expanded, NULL for indices */
    bool blamed;                                /* the sentence names the function it is about */
    size_t call;   /* place of the outermost function call in the caller's text */
    size_t offset; /* place of the error */
    sp_error *err;
} sp_compiler;

/* Fails at a place of the text being read. */
#define SP_FAIL_AT(c, where, ...)                                                                  \
    ((c)->offset = (where), SP_FAIL((c)->err, SP_E_INPUT, __VA_ARGS__))

/* Reads the whole of a frame; with index set, up to the ')' that ends an index. */
sp_status sp_parse(sp_compiler *c, sp_frame *f, bool index, sp_value *out);

/* Reads a path that begins at begin and writes its canonical form. */
sp_status sp_parse_path(sp_compiler *c, sp_frame *f, size_t begin, char path[SP_EXPR_NAME_MAX + 1]);

/* Calls a function, built in or own.  begin and end of *out are set by the caller. */
sp_status sp_parse_call(sp_compiler *c, const sp_frame *f, const char *name,
                        const sp_value *argument, int n, sp_value *out);

/* Compiles a text up to its last check. */
sp_status sp_compile_text(sp_compiler *c, const char *text, sp_value *out);

/* Values with their dimensions checked; constants are folded.  begin and end of *out are set by the
 * caller beforehand: they are what messages quote. */
sp_status sp_check_constant(sp_compiler *c, double number, sp_value *out);
sp_status sp_check_symbol(sp_compiler *c, const sp_frame *f, const sp_symbol *s, sp_value *out);
sp_status sp_check_unary(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                         sp_value *out);
sp_status sp_check_binary(sp_compiler *c, const sp_frame *f, sp_op op, const sp_value *x,
                          const sp_value *y, sp_value *out);
sp_status sp_check_select(sp_compiler *c, const sp_frame *f, const sp_value *z, const sp_value *x,
                          const sp_value *y, sp_value *out);

/* A table at x. */
sp_status sp_check_table(sp_compiler *c, const sp_frame *f, const sp_table *table,
                         const sp_value *x, sp_value *out);

/* The value of a constant, or the reason why it has none. */
sp_status sp_check_finite(sp_compiler *c, int node, double *value);

/* Hands the largest parts of the result that depend on time alone to the resolver (hoist.c). */
sp_status sp_hoist(sp_compiler *c, sp_arena *a, int result);

/* Turns the result into a program in a. */
sp_status sp_emit(sp_compiler *c, sp_arena *a, int result, sp_program **out);

#endif
