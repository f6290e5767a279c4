/* expr/expr.h - expressions of model files: compiled once, evaluated with first and second
 * derivatives without allocation.
 *
 *     value   + - * / mod ^ (binds tightest, to the right), unary minus: -a^2 = -(a^2)
 *             number [blank unit], pi, name, path.3.name, path.(i-1).name, name''
 *             sin cos tan asin acos atan atan2 sinh cosh tanh exp log sqrt abs sign floor
 *             min max clamp(x, lo, hi) if(condition, a, b) step(x, a) ramp(x, a, b)
 *             pulse(x, a, b), own functions
 *     condition   < <= > >= and or not
 *
 * A unit follows its number after a blank, has no blank in itself and binds tighter than any
 * operator. */
#ifndef SP_EXPR_EXPR_H
#define SP_EXPR_EXPR_H

#include "base/arena.h"
#include "expr/units.h"

/* Limits; more is an error that says so. */
enum {
    SP_EXPR_DEPTH_MAX = 32,      /* functions inside functions, indices inside indices */
    SP_EXPR_NEST_MAX = 400,      /* open parentheses and operators                     */
    SP_EXPR_NAME_MAX = 200,      /* letters of a name or path                          */
    SP_EXPR_SYMBOL_MAX = 100000, /* symbols read, counting functions at every call     */
    SP_EXPR_OP_MAX = 10000,      /* operations of a program                            */
    SP_EXPR_INPUT_MAX = 4000     /* run-time variables of a program                    */
};

typedef enum { SP_SYM_CONST, SP_SYM_INPUT } sp_symbol_kind;

/* What a name stands for. */
typedef struct sp_symbol {
    sp_symbol_kind kind;
    double value; /* of a constant                                   */
    sp_dim dim;
    bool any_dim; /* fits everywhere, as the literal 0 does          */
    int input;    /* the caller's id >= 0 of a run-time variable     */
    bool time;    /* ... which is time                               */
} sp_symbol;

/* A function of the model file: parameter names and the expression, or one parameter and a table,
 * which must live as long as the programs that use it. */
typedef struct sp_function {
    int n_param;
    const char *const *param;
    const char *body;
    const struct sp_table *table; /* expr/table.h; NULL: the expression */
} sp_function;

/* Byte code, constants and the list of inputs; immutable, lives in the arena of its compilation. */
typedef struct sp_program sp_program;

/* How a part of an expression that depends on time alone enters it. */
typedef enum sp_part_use {
    SP_PART_CONDITION, /* yes or no                                                           */
    SP_PART_FACTOR,    /* the value is linear in it: its mean gives the mean                  */
    SP_PART_INNER      /* inside of a function, or multiplied by another part                 */
} sp_part_use;

/* How names are looked up.  Texts must live until the call returns. */
typedef struct sp_resolver {
    void *ctx;
    /* path is canonical: "l1", "rod.tip.vy", "link.3.phi", "phi_S'".  SP_OK, or a failure with its
     * sentence in err.  NULL: there are no names. */
    sp_status (*name)(void *ctx, const char *path, sp_symbol *out, sp_error *err);
    /* NULL: there are no own functions. */
    sp_status (*function)(void *ctx, const char *name, sp_function *out, sp_error *err);
    bool check_units; /* false: units: off */
    /* Called for every largest part of the text that depends on time alone and is not linear in it,
     * with its program in the arena of the compilation.  *input >= 0: the part is read from this
     * run-time variable instead.  NULL: nobody asks.   theory (64.1) */
    sp_status (*clock)(void *ctx, const sp_program *part, sp_part_use use, int *input,
                       sp_error *err);
} sp_resolver;

/* What is known about a text after compilation. */
typedef struct sp_expr_info {
    sp_dim dim;
    bool any_dim;      /* fits every place: the literal 0, or units: off                     */
    bool lone_literal; /* a single number without unit, which is SI whatever the place wants */
    bool literal;      /* a single number, with or without unit                              */
    bool is_const;
    double value;  /* if is_const                                                        */
    size_t offset; /* after a failure: the byte of the text where it is                  */
} sp_expr_info;

/* Compile a text.  r may be NULL (no names), info and err too.  On failure err has the sentence and
 * info->offset the place; *out is NULL. */
sp_status sp_expr_compile(sp_arena *a, const char *text, const sp_resolver *r, sp_program **out,
                          sp_expr_info *info, sp_error *err);

/* The value of a text that must not depend on run-time variables.  Memory is taken from the
 * allocator of a and given back. */
sp_status sp_expr_constant(sp_arena *a, const char *text, const sp_resolver *r, double *value,
                           sp_expr_info *info, sp_error *err);

/* A program that returns a number; NULL without memory. */
sp_program *sp_program_constant(sp_arena *a, double value);

/* SP_OK if what text came to may stand where the dimension want is expected.  The sentence begins
 * with the text itself ("38 mm is a length [m], expected a mass [kg]"), so that the caller puts
 * "body 'rod': mass = " in front.  want_text, if not NULL, replaces the description of want. */
sp_status sp_quantity_fits(const char *text, const sp_expr_info *info, sp_dim want,
                           const char *want_text, sp_error *err);

/* The canonical form of a reference: "link.(i-1).tip" -> "link.2.tip".  *out lives in a. */
sp_status sp_path_canonical(sp_arena *a, const char *text, const sp_resolver *r, const char **out,
                            sp_error *err);

/* Names of the functions built in, for "did you mean". */
const char *const *sp_expr_builtins(int *n);

/* Whether an own parameter or function may not be called this: pi, mod, if, sin, ... */
bool sp_expr_reserved(const char *name);

/* The caller's ids of the inputs, in the order in which values are passed. */
int sp_program_n_input(const sp_program *p);
const int *sp_program_inputs(const sp_program *p);

/* Whether the program is one number, and which. */
bool sp_program_is_const(const sp_program *p, double *value);

/* Derivatives by the inputs of a program that is affine by its operations, else NULL. */
const double *sp_program_slopes(const sp_program *p);

/* Doubles of scratch for order 0 (value), 1 (gradient), 2 (Hessian). */
size_t sp_program_work(const sp_program *p, int order);

/* Value, gradient and Hessian (lower triangle by rows: H_ij at i(i+1)/2 + j, j <= i).
 *   in    (n_input)                  values of the inputs
 *   grad  (n_input), hess (n_input (n_input + 1)/2)   out
 *   work  (sp_program_work(p, order))                 scratch, no meaning between calls
 * The value has the same bits at every order.  NaN and infinity travel to the result.  At kinks
 * (abs, sign, floor, mod, min, max, if, straight lines of a table) derivatives are those of the
 * side that is evaluated, and zero for abs(0). */
double sp_program_value(const sp_program *p, const double *in, double *work);
double sp_program_grad(const sp_program *p, const double *in, double *grad, double *work);
double sp_program_hess(const sp_program *p, const double *in, double *grad, double *hess,
                       double *work);

#endif
