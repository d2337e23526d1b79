//! Instrument: any resource of any pass as a picture or a table, with its figures.

mod figures;
mod picture;
mod pins;
mod table;

pub use figures::Figures;
pub use picture::{PictureLook, PictureView};
pub use pins::{Pin, PinPicture, PinResult, Pins, Texels};
pub use table::BufferTable;
