/* model/slot.c - traits of slots, from their kinds. */
#include "model/model.h"

sp_slot_traits sp_slot_traits_of(const sp_slot *slot, const sp_rule *rule)
{
    static const sp_slot_traits of[] = {
        [SP_SLOT_LINE] = {.planar = true, .on_line = true},
        [SP_SLOT_DISC] = {.planar = true},
        [SP_SLOT_HOLLOW] = {.planar = true},
        [SP_SLOT_POLYGON] = {.planar = true, .edged = true},
        [SP_SLOT_CURVE] = {.planar = true, .curved = true},
        [SP_SLOT_CURVE_LINE] = {.planar = true, .curved = true},
        [SP_SLOT_CURVES] = {.planar = true, .curved = true},
        [SP_SLOT_CURVE_EDGES] = {.planar = true, .curved = true, .edged = true},
        [SP_SLOT_SPACE] = {.space = true},
        [SP_SLOT_POOL] = {.space = true, .pooled = true},
        [SP_SLOT_GAP] = {.rule = true},
        [SP_SLOT_FRICTION] = {.rule = true, .dry = true, .interval = true, .gapless = true},
        [SP_SLOT_ONE_WAY] = {.rule = true, .one_way = true, .gapless = true, .no_slip = true},
        [SP_SLOT_THRESHOLD] = {.rule = true, .stores = true, .interval = true, .gapless = true},
        [SP_SLOT_BOND] = {.rule = true, .bilateral = true},
        [SP_SLOT_LOOP] = {.rule = true, .bilateral = true, .loop = true},
    };
    sp_slot_traits is = of[slot->kind];
    if (is.rule && !is.loop) {
        is.turns = rule[slot->rule].angle;
        const int n_slip = rule[slot->rule].n_slip;
        is.no_slip = is.no_slip || (!is.gapless && !is.bilateral && n_slip == 0);
        is.two_slips = n_slip == 2;
    }
    return is;
}
