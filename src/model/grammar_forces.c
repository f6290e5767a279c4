/* model/grammar_forces.c - force elements: data only. */
#include "model/grammar_parts.h"

/* ---- forces -------------------------------------------------------------------------------- */

static const word frame_words[] = {WORD("world"), WORD("own"), WORD_END};
static const type frame = {ONE_OF("world or own", frame_words)};
static const type measure = {
    LIST("two points [a, b] or an expression of coordinates", sp_type_reference, 2, 2),
    .leaf = SP_LEAF_QUANTITY};

static const type two_references = {LIST("two references [a, b]", sp_type_reference, 2, 2)};
static const type six_space = {
    LIST("six quantities [x, y, z, about x, about y, about z]", sp_type_quantity, 6, 6)};
static const type six = {LIST("three quantities [x, y, about z]", sp_type_quantity, 3, 3),
                         .in_space = &six_space};

static const key force_keys[] = {COUNT_KEYS, TEXT_KEY, END};
static const key spring_keys[] = {
    KEY("spring", measure, .level = 'F',
        .text = "Acts along the line between two points, or on an expression of coordinates, its "
                "measure `x` (`phi` if it is an angle) with the rate `v` (`omega`)."),
    FIRST_KEY(measure),
    KEY("stiffness", sp_type_quantity, .level = 'Q', .flags = SP_KEY_ONE_OF,
        .text = "Stiffness of a linear spring."),
    KEY("force", sp_type_quantity, .level = 'F', .flags = SP_KEY_ONE_OF,
        .text = "Force (torque) that pulls together, an expression of `x` and `v` (`phi` and "
                "`omega`)."),
    KEY("damping", sp_type_quantity, .level = 'Q', .standard = "0",
        .text = "Coefficient of a linear damper beside it."),
    KEY("rest", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED_LIST, .standard = "0",
        .with = "stiffness",
        .text = "Measure at which the spring is slack; needed between two points."),
    KEY("preload", sp_type_quantity, .level = 'Q', .standard = "0", .text = "Its pull at `rest`."),
    END,
};
static const key applied_force_keys[] = {
    KEY("force", sp_type_vector, .level = 'F', .unit = "N", .text = "An applied force."),
    FIRST_KEY(sp_type_vector),
    KEY("on", sp_type_reference, .flags = SP_KEY_NEEDED,
        .text = "The body (acts at its centre) or the point it acts on."),
    KEY("frame", frame, .standard = "world", .text = "The axes its entries are meant in."),
    END,
};
static const key torque_keys[] = {
    KEY("torque", sp_type_about_axes, .level = 'F', .unit = "N*m", .text = "An applied torque."),
    FIRST_KEY(sp_type_about_axes),
    KEY("on", sp_type_reference, .flags = SP_KEY_NEEDED, .text = "The body it acts on."),
    KEY("frame", frame, .flags = SP_KEY_SPACE, .standard = "world",
        .text = "The axes its entries are meant in."),
    END,
};
static const key drive_keys[] = {
    KEY("drive", sp_type_reference,
        .text = "Drives this joint, `crank.joint`; expressions see its `phi`, `omega` (`s`, `v`)."),
    FIRST_KEY(sp_type_reference),
    KEY("torque", sp_type_quantity, .level = 'F', .flags = SP_KEY_ONE_OF, .unit = "N*m",
        .text = "Torque of the drive in a revolute joint."),
    KEY("force", sp_type_quantity, .level = 'F', .flags = SP_KEY_ONE_OF, .unit = "N",
        .text = "Force of the drive in a prismatic joint."),
    KEY("limit", sp_type_quantity, .level = 'Q', .text = "Largest size of the force or torque."),
    END,
};
static const key bushing_keys[] = {
    KEY("bushing", two_references,
        .text = "A block of rubber between two points (or bodies): springs and dampers along and "
                "about the axes of the first."),
    FIRST_KEY(two_references),
    KEY("stiffness", six, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Along the axes, then about them: N/m, N*m/rad."),
    KEY("damping", six, .level = 'Q', .standard = "0",
        .text = "Along the axes, then about them: N*s/m, N*m*s/rad."),
    END,
};
#define CHAMBER_KEYS                                                                               \
    KEY("area", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m^2",             \
        .text = "Area of the piston."),                                                            \
        KEY("pressure", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "Pa",      \
            .text = "Pressure of the gas at `rest`."),                                             \
        KEY("volume", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m^3",       \
            .text = "Volume of the gas at `rest`."),                                               \
        KEY("exponent", sp_type_quantity, .level = 'Q', .unit = "1", .standard = "1.4",            \
            .text = "Polytropic exponent: 1 slow, 1.4 fast (air).")
static const key chamber_keys[] = {CHAMBER_KEYS, END};
static const element chamber_element =
    ELEMENT("chamber", chamber_keys, NULL,
            "The second chamber of a gas spring, pressed when the first one grows.");
static const type chamber = {.what = "a map with area, pressure and volume",
                             .element = &chamber_element};
static const key gas_keys[] = {
    KEY("gas", measure, .level = 'F',
        .text = "A gas spring between two points, pressed as they come closer, or on a stroke, "
                "pressed as it grows."),
    FIRST_KEY(measure),
    CHAMBER_KEYS,
    KEY("rest", sp_type_quantity, .level = 'Q', .unit = "m", .standard = "0",
        .text = "The measure at which `pressure` and `volume` hold."),
    KEY("ambient", sp_type_quantity, .level = 'Q', .unit = "Pa", .standard = "0",
        .text = "Pressure on the other side of the piston."),
    KEY("back", chamber, .text = "A second chamber on the other side of the piston."),
    END,
};
static const key orifice_keys[] = {
    KEY("orifice", measure, .level = 'F',
        .text = "A hydraulic damper between two points or on a stroke; its force grows with the "
                "square of the speed."),
    FIRST_KEY(measure),
    KEY("compression", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Coefficient while the points come closer or the stroke grows, N*s^2/m^2."),
    KEY("rebound", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED,
        .text = "Coefficient the other way round."),
    END,
};
static const key magnet_keys[] = {
    KEY("magnet", two_references,
        .text = "Attraction between two points (or bodies) by the inverse square of their "
                "distance."),
    FIRST_KEY(two_references),
    KEY("strength", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "N*m^2",
        .text = "Force times the square of the distance."),
    KEY("cutoff", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Nearer than this the force grows no more."),
    END,
};
static const key drag_keys[] = {
    KEY("drag", sp_type_reference,
        .text = "Resistance of the air against the motion of a point, or of a body's centre."),
    FIRST_KEY(sp_type_reference),
    KEY("quadratic", sp_type_quantity, .level = 'Q', .unit = "N*s^2/m^2", .standard = "0",
        .text = "Force by the square of the speed."),
    KEY("linear", sp_type_quantity, .level = 'Q', .unit = "N*s/m", .standard = "0",
        .text = "Force by speed."),
    KEY("wind", sp_type_vector, .level = 'F', .unit = "m/s", .standard = "none",
        .text = "Velocity of the air."),
    END,
};
static const key motor_keys[] = {
    KEY("motor", sp_type_reference,
        .text = "Controls this joint, `arm.joint`: P e + I (integral of e) + D e', where e is what "
                "is missing from the wanted coordinate, or speed."),
    FIRST_KEY(sp_type_reference),
    KEY("position", sp_type_quantity, .level = 'T', .text = "The wanted coordinate."),
    KEY("speed", sp_type_quantity, .level = 'T',
        .text = "The wanted speed; with `position` what D compares with, 0 if it is left out."),
    KEY("P", sp_type_quantity, .level = 'Q', .standard = "0", .text = "Gain of e."),
    KEY("I", sp_type_quantity, .level = 'Q', .standard = "0",
        .text = "Gain of its integral, which waits while the limit is reached."),
    KEY("D", sp_type_quantity, .level = 'Q', .standard = "0", .text = "Gain of its rate."),
    KEY("feed", sp_type_quantity, .level = 'F', .standard = "0",
        .text = "Force or torque on top of that."),
    KEY("limit", sp_type_quantity, .level = 'Q', .text = "Largest size of the force or torque."),
    END,
};
static const key tyre_keys[] = {
    KEY("tyre", sp_type_reference,
        .text = "A tyre on this wheel: a body whose origin is the axle, or the point of the axle."),
    FIRST_KEY(sp_type_reference),
    KEY("on", sp_type_reference, .flags = SP_KEY_NEEDED,
        .text = "The line that it rolls on, ground.road; in space the plane."),
    KEY("axle", sp_type_direction_space, .level = 'Q', .flags = SP_KEY_SPACE | SP_KEY_NEEDED_SPACE,
        .text = "Direction of the axle in the wheel's axes, to the right of the way it rolls."),
    KEY("radius", sp_type_quantity, .level = 'Q', .flags = SP_KEY_NEEDED, .unit = "m",
        .text = "Radius of the tyre where nothing presses it."),
    KEY("force", sp_type_quantity, .level = 'F', .flags = SP_KEY_NEEDED, .unit = "N",
        .text = "Force by the deflection `x` (and its rate `v`); none in the air, never a pull."),
    KEY("damping", sp_type_quantity, .level = 'Q', .unit = "N*s/m", .standard = "0",
        .text = "Coefficient of a damper beside it, while it touches."),
    KEY("mu", sp_type_quantity, .level = 'F', .unit = "1", .standard = "0",
        .text = "Friction by the `slip`, an odd function: speed of sliding over speed of rolling, "
                "in the plane positive where the wheel turns too little against the way."),
    KEY("speed", sp_type_quantity, .level = 'Q', .unit = "m/s", .standard = "1 m/s",
        .text = "Slip counts over the square root of the squares of this and of rolling."),
    END,
};
static const key *const force_kinds[] = {spring_keys,  applied_force_keys, torque_keys,  drive_keys,
                                         bushing_keys, gas_keys,           orifice_keys, drag_keys,
                                         magnet_keys,  motor_keys,         tyre_keys,    NULL};
static const element force_element = ELEMENT("force", force_keys, force_kinds, "A force element.");
static const type force = {.what = "a map such as {spring: [a.p, b.q], stiffness: 1 N/mm, rest: 0}",
                           .element = &force_element};
const sp_grammar_type sp_type_forces = {NAMED("a map of named force elements", force, "force"),
                                        .space = SP_SPACE_ELEMENT, .reserved = sp_no_element_name};
