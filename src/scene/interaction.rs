//! Settings of the lenses' reaction to dragging.

base::settings! {
    /// How lenses react to dragging.
    pub struct HandSettings {
        /// Turn all motion effects below off: a lens follows the pointer without deforming and stops when released.
        reduced_motion: bool = false;
        /// A lens released while moving keeps gliding.
        inertia: bool = true, label "Glide", when "reduced_motion=false";
    }
}
