//! Material at a point, for every kind.
#ifndef SHADE_MATTER
#define SHADE_MATTER
#include "shade/kinds.glsl"
#include "shade/layered.glsl"

bool is(uint one, uint kind) { return (KINDS >> one & 1u) != 0 && kind == one; }

uint kind_among(uint material) {
    const uint all = KINDS & (1u << KINDS_ALL) - 1u;
    return (all & all - 1u) == 0 ? uint(findLSB(all)) : kind_at(material);
}

/// `extra`: light of the kind's own lobes. No switch: Mesa turns one into sequential branches, whose inputs wait in
/// registers.
Matter matter_of(uint kind, inout Surface s, Light light, inout vec3 extra) {
    Matter matter;
    if (is(TEXTURED, kind)) matter = textured_matter(s, s.material);
    else if (is(MARBLE, kind)) matter = marble_matter(s, material_at(s.material));
    else if (is(CAR_PAINT, kind)) matter = car_paint_matter(s, material_at(s.material), light, extra);
    else if (is(SUBSURFACE, kind)) matter = subsurface_matter(s, material_at(s.material), light, extra);
    else if (is(IRIDESCENT, kind)) matter = iridescent_matter(s, material_at(s.material));
    else if (is(VELVET, kind)) matter = velvet_matter(s, material_at(s.material), light, extra);
    else if (is(BRUSHED, kind)) matter = brushed_matter(s, material_at(s.material), light, extra);
    else if (is(WOOD, kind)) matter = wood_matter(s, material_at(s.material));
    else if (is(EMBER, kind)) matter = ember_matter(s, material_at(s.material));
    else if (is(LAYERED, kind)) matter = layered_matter(s, material_at(s.material), light, extra);
    else matter = plain_matter(s, material_at(s.material));
    return matter;
}

#endif
