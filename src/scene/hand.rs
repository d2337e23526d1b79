//! How lenses answer to the hand.

crate::settings! {
    /// How lenses answer to the hand that moves them.
    pub struct HandSettings {
        /// No movement of its own: a lens goes where the hand takes it, undeformed, and stops there. Switches all below off.
        reduced_motion: bool = false;
        /// How far a fast lens stretches along its way; it is squashed across by as much.
        squash: f32 = 0.2, range(0.0, 0.5);
        /// How far a lens swells while it is held.
        press: f32 = 0.03, range(0.0, 0.2);
        /// A lens that is thrown glides on.
        inertia: bool = true;
        /// A lens can be pulled over the border, ever harder, and goes back by itself.
        rubber_band: bool = true;
    }
}
