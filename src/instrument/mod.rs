//! Instrument: any resource of any pass as a picture or a table, with its figures.

mod figures;
mod picture;
mod pins;
mod table;
mod texels;

pub use crate::gpu::{CapturePoint, PassResource, PassResources, ResourceShape, records::Records};
pub use figures::Figures;
pub use picture::{PictureLook, PictureView};
pub use pins::{Pin, PinPicture, PinResult, Pins};
pub use table::BufferTable;
pub use texels::{TexelKind, Texels, texel_kind};
