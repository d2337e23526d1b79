//! Input of the inspector in every frame.

use crate::techniques::Step;
use crate::techniques::glass::CrossSection;

#[derive(Clone, Debug, PartialEq)]
pub struct PixelStory {
    pub pixel: [u32; 2],
    pub steps: Vec<Step>,
    pub section: Option<CrossSection>,
    /// Its final value as the loupe writes it.
    pub numbers: Vec<String>,
    /// The picture has changed since.
    pub is_outdated: bool,
}

#[derive(Clone, Copy, Default)]
pub struct InspectorState<'a> {
    /// Whether the display allows reading the window's image.
    pub is_readable: bool,
    pub section: Option<&'a CrossSection>,
    pub story: Option<&'a PixelStory>,
    pub awaited: Option<[u32; 2]>,
}
