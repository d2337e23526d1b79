//! Push constants that every draw of the glass shares.
#ifndef GLASS_PUSH
#define GLASS_PUSH

layout(scalar, push_constant) uniform GlassPush {
    vec2 size;
    uint first;
    /// Mode "source": pixels from the top left.
    vec2 mouse;
    /// Of `VIEWS` in views.rs.
    uint view;
} push;

#endif
