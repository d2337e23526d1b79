//! What is looked at: the picture under the glass, and where the lenses lie.

mod hand;
mod lens;
pub mod picture;
pub mod world;

pub use hand::HandSettings;
pub use lens::Lens;

crate::choices! {
    /// What lies under the glass.
    pub enum Source {
        /// A flat picture: the built-in one, a file of yours, or one dropped on the window.
        Picture = "picture",
    }
}

crate::settings! {
    /// What lies under the glass.
    pub struct SceneSettings {
        /// What lies under the glass.
        source: Source = Source::Picture, choice;
        /// The built-in picture, shown while no file is.
        motif: picture::Motif = picture::Motif::Dusk, choice;
    }
}
