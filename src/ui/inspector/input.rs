//! Input of the inspector in every frame.

use crate::instrument::SeenTexels;
use crate::techniques::Step;
use crate::techniques::glass::CrossSection;

/// The story of a pixel.
#[derive(Clone, Debug, PartialEq)]
pub struct PixelStory {
    /// Column and row in the final image.
    pub pixel: [u32; 2],
    /// From visibility to the final value.
    pub steps: Vec<Step>,
    /// The glass over it.
    pub section: Option<CrossSection>,
    /// Its final value in the frame of the story, as the loupe writes it.
    pub numbers: Vec<String>,
    /// The picture has changed since.
    pub is_outdated: bool,
}

/// What the inspector knows of the frames.
#[derive(Clone, Copy, Default)]
pub struct InspectorState<'a> {
    /// Whether the display allows reading the window's image.
    pub is_readable: bool,
    /// Whether there is a B: a story is of one picture.
    pub has_pair: bool,
    /// The texels around the pointer.
    pub seen: Option<&'a SeenTexels>,
    /// The glass over the pixel under the pointer.
    pub section: Option<&'a CrossSection>,
    /// The last story.
    pub story: Option<&'a PixelStory>,
    /// The pixel whose story is being made.
    pub awaited: Option<[u32; 2]>,
}
