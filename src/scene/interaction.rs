//! Settings of the lenses' reaction to dragging.

crate::settings! {
    /// How lenses react to dragging.
    pub struct HandSettings {
        /// Turn all motion effects below off: a lens follows the pointer without deforming and stops when released.
        reduced_motion: bool = false;
        /// How much a fast-moving lens stretches along its direction, and narrows across it.
        squash: f32 = 0.2, range(0.0, 0.5), label "Stretch", when "reduced_motion=false";
        /// How much a lens grows while it is held.
        press: f32 = 0.03, range(0.0, 0.2), label "Growth when held", when "reduced_motion=false";
        /// A lens released while moving keeps gliding.
        inertia: bool = true, label "Glide", when "reduced_motion=false";
        /// A lens can be dragged beyond the window's border against growing resistance, and springs back.
        rubber_band: bool = true, label "Rubber band", when "reduced_motion=false";
    }
}
