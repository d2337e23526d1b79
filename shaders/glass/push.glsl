//! Push constants that every draw of the glass shares.
#ifndef GLASS_PUSH
#define GLASS_PUSH

layout(scalar, push_constant) uniform GlassPush {
    /// Width and height of the picture and the target, pixels.
    vec2 size;
    /// Place of this draw's first rectangle in the list.
    uint first;
    /// Centre of the lens for the mode "source", pixels from the top left.
    vec2 mouse;
    /// Index of the view, in the order of `VIEWS` in views.rs.
    uint view;
} push;

#endif
