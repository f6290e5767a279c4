/* specht/specht.h - everything: describe a machine, build it, step it, read results. */
#ifndef SPECHT_SPECHT_H
#define SPECHT_SPECHT_H

#include "specht/analysis.h"
#include "specht/base.h"
#include "specht/channel.h"
#include "specht/load.h"
#include "specht/mechanics.h"
#include "specht/model.h"
#include "specht/problem.h"
#include "specht/result.h"
#include "specht/run.h"
#include "specht/spec.h"
#include "specht/state.h"
#include "specht/step.h"
#include "specht/study.h"
#include "specht/verify.h"

#endif
