//! Arguments of instruments, and what a headless run tells them.

use base::text::digits;
use std::path::PathBuf;

/// Of a value; the error says what is expected.
pub type Parser<T> = fn(&str) -> Result<T, String>;

pub struct ArgumentInfo {
    pub name: &'static str,
    /// Its value, as the help names it.
    pub value: &'static str,
    pub doc: &'static str,
    /// Without it the value need not be UTF-8.
    pub check: Option<Parser<()>>,
    pub is_repeated: bool,
    pub may_begin_with_hyphen: bool,
    /// Argument without which it is refused.
    pub requires: Option<&'static str>,
    /// File that its value has written, which no other argument may write; the error has the file's name.
    pub writes: Option<Parser<PathBuf>>,
}

impl ArgumentInfo {
    pub const NONE: Self = Self {
        name: "",
        value: "",
        doc: "",
        check: None,
        is_repeated: false,
        may_begin_with_hyphen: false,
        requires: None,
        writes: None,
    };
}

/// A headless run.
pub struct RunInfo {
    /// Pixels.
    pub size: [u32; 2],
    pub has_view: bool,
    pub has_b: bool,
}

/// `640,360`: column and row from the top left.
pub fn pixel_of(text: &str) -> Result<[u32; 2], String> {
    text.split_once(',')
        .and_then(|(x, y)| Some([digits(x.trim())?, digits(y.trim())?]))
        .ok_or_else(|| "expected X,Y, a column and a row from the top left, as in 640,360".into())
}

/// `argument` ends where the pixel begins.
pub fn check_pixel(argument: &str, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> Result<(), String> {
    if x < width && y < height {
        return Ok(());
    }
    let expected = format!("expected 0,0 to {},{}", width - 1, height - 1);
    Err(format!("{argument}{x},{y}: the picture has {width}x{height} pixels; {expected}"))
}
