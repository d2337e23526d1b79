//! Values of one glass, as `GlassBlock` in src/techniques/glass/passes/uniforms.rs; lengths in pixels of the window.
    /// The lens of a body of one.
    Lens lens;
    /// In the list of all lenses.
    uint first;
    uint count;
    /// Tiles: the first of the grid, and its columns and rows.
    uvec2 corner;
    uvec2 grid;
    /// The grid's first word, and words of a tile.
    uint bins;
    uint stride;
    /// Pixels: outwards of the outline in which the distance counts, to the dropped outline in which the shadow is, inwards to
    /// the light of the rim; what the outline may bend between the probes of a tile.
    float reach;
    float shadow_reach;
    float rim_reach;
    float bend;
    float melt;
    float magnify;
    float height;
    float profile;
    float eta;
    float spread;
    float gap;
    float frost;
    float frosted;
    vec2 axis;
    vec3 light_color;
    vec2 halfway;
    float rim_width;
    float rim;
    float gloss;
    float caustic;
    float mirror;
    float fire;
    float shadow;
    float shadow_sigma;
    float shadow_drop;
    float contour;
    float saturation;
    vec3 tint;
    float tint_part;
    float veil;
    vec3 body;
    vec3 body_log2;
    uint taps;
    float adaptive;
    /// Pixels; 1 / reach of the glow, and its strength.
    vec2 pressed;
    float glow_scale;
    float glow;
    /// 0 to 1; the largest luminance below text; the map from a pixel to the shades.
    float legible;
    float ground;
    vec2 shade_first;
    vec2 shade_scale;
    vec2 frosted_scale;
    vec2 frosted_shift;
    /// Displacement at the edge per pixel of the bevel's width; frost over bright pictures, pixels; gain, offset and
    /// gain of colour over dark and bright pictures.
    float displacement;
    float frost_light;
    vec3 body_dark;
    vec3 body_light;
    float body_opens;
