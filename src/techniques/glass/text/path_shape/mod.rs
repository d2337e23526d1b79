//! Shapes of a lens given as a path: path data, an SVG file, or a name such as `star 5`.

mod filled;
mod named;
mod svg;

use self::filled::{Filled, Rule};
use base::file::read_bounded;
use base::guard::guarded;
use glam::Vec2;
use kurbo::BezPath;
use std::path::Path;

/// Of an SVG file.
const MOST_BYTES: u64 = 4 << 20;
const EXPECTED: &str =
    "expected path data (M 0 0 L 1 0 ..), a file that ends in .svg, star N [INNER], polygon N or heart";

pub struct PathShape {
    /// The longer side of their box is 2.
    pub curves: Vec<[Vec2; 3]>,
    pub note: Option<String>,
}

impl PathShape {
    pub fn read(text: &str) -> Result<PathShape, String> {
        let text = text.trim();
        let shown: String =
            if text.chars().count() > 60 { text.chars().take(57).chain("...".chars()).collect() } else { text.into() };
        let why = |why: String| format!("glass.path {shown}: {}", why.replace('\n', " "));
        let is_file = text.len() > 4 && text.get(text.len() - 4..).is_some_and(|end| end.eq_ignore_ascii_case(".svg"));
        let (filled, clips, unsupported) = if is_file {
            let svg::Drawing { filled, clips, unsupported } = of_file(Path::new(text)).map_err(why)?;
            (filled, clips, unsupported.map(|parts| format!("not supported: {parts}")))
        } else if let Some(named) = named::path(text) {
            (vec![Filled { path: named.map_err(why)?, rule: Rule::NonZero, clips: vec![] }], vec![], None)
        } else {
            (vec![of_data(text).map_err(why)?], vec![], None)
        };
        let curves = filled::boundary(&filled, &clips).map_err(|fault| match &unsupported {
            Some(parts) => why(format!("{parts}; {fault}")),
            None => why(fault),
        })?;
        Ok(PathShape { curves, note: unsupported.map(why) })
    }
}

fn of_file(file: &Path) -> Result<svg::Drawing, String> {
    const FILE: &str = "expected an SVG file";
    let why = |error: String| if error.contains("expected") { error } else { format!("{error}; {FILE}") };
    let bytes = read_bounded(file, MOST_BYTES, FILE).map_err(|error| why(format!("{error:#}")))?;
    let text = String::from_utf8(bytes).map_err(|_| "this is no UTF-8 text; expected an SVG file")?;
    guarded(|| svg::read(&text).map_err(anyhow::Error::msg)).map_err(|error| why(error.to_string()))
}

fn of_data(text: &str) -> Result<Filled, String> {
    let (rule, data) = match text.strip_prefix("evenodd") {
        Some(data) => (Rule::EvenOdd, data.trim_start()),
        None => (Rule::NonZero, text),
    };
    if !data.starts_with(['M', 'm']) {
        return Err(EXPECTED.into());
    }
    let path = BezPath::from_svg(data).map_err(|error| format!("{error}; {EXPECTED}"))?;
    Ok(Filled { path, rule, clips: vec![] })
}

#[cfg(test)]
mod tests;
