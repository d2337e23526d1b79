//! Story of a pixel, as the inspector shows it.

use glass::CrossSection;
use technique::Step;

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
