/* solvers/fc_lp.h - is there x >= 0 with A x = b?  Small and dense; the answer is x, or y with
 * y'A <= 0 and y'b > 0, which proves that there is none (Farkas). */
#ifndef SP_SOLVERS_FC_LP_H
#define SP_SOLVERS_FC_LP_H

enum { SP_FC_LP_ROWS = 24, SP_FC_LP_COLUMNS = 96 };

typedef struct sp_fc_lp {
    int m, n;
    double A[SP_FC_LP_ROWS][SP_FC_LP_COLUMNS], b[SP_FC_LP_ROWS];
    double T[SP_FC_LP_ROWS + 1][SP_FC_LP_COLUMNS + SP_FC_LP_ROWS + 1]; /* the tableau         */
    int basis[SP_FC_LP_ROWS];
    double x[SP_FC_LP_COLUMNS], y[SP_FC_LP_ROWS];
} sp_fc_lp;

typedef enum sp_fc_lp_end {
    SP_FC_LP_POINT,  /* x                                                          */
    SP_FC_LP_PROOF,  /* y; no x with a sum below 1e6, round-off counted            */
    SP_FC_LP_UNCLEAR /* neither: too close, or lost in round-off                   */
} sp_fc_lp_end;

/* Decide; A and b are given, with entries of about one. */
sp_fc_lp_end sp_fc_lp_decide(sp_fc_lp *q);

#endif
