//! Material at a point, for every kind.
#ifndef SHADE_MATTER
#define SHADE_MATTER
#include "shade/kinds.glsl"
#include "shade/layered.glsl"

bool is_there(uint kind) { return (KINDS >> kind & 1u) != 0; }

/// `extra`: what lobes of the kind's own send to the eye.
Matter matter_of(uint kind, Surface s, Light light, inout vec3 extra) {
    Matter matter;
    switch (kind) {
        case TEXTURED: if (is_there(TEXTURED)) { matter = textured_matter(s, s.material); break; }
        case MARBLE: if (is_there(MARBLE)) { matter = marble_matter(s, material_at(s.material)); break; }
        case CAR_PAINT: if (is_there(CAR_PAINT)) { matter = car_paint_matter(s, material_at(s.material), light, extra); break; }
        case SUBSURFACE: if (is_there(SUBSURFACE)) { matter = subsurface_matter(s, material_at(s.material), light, extra); break; }
        case IRIDESCENT: if (is_there(IRIDESCENT)) { matter = iridescent_matter(s, material_at(s.material)); break; }
        case VELVET: if (is_there(VELVET)) { matter = velvet_matter(s, material_at(s.material), light, extra); break; }
        case BRUSHED: if (is_there(BRUSHED)) { matter = brushed_matter(s, material_at(s.material), light, extra); break; }
        case WOOD: if (is_there(WOOD)) { matter = wood_matter(s, material_at(s.material)); break; }
        case EMBER: if (is_there(EMBER)) { matter = ember_matter(s, material_at(s.material)); break; }
        case LAYERED: if (is_there(LAYERED)) { matter = layered_matter(s, material_at(s.material), light, extra); break; }
        default: matter = plain_matter(s, material_at(s.material));
    }
    return matter;
}

#endif
