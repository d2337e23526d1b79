//! File formats by their first bytes, for messages about files of an unexpected kind.

const SIGNATURES: &[(usize, &[u8], &str)] = &[
    (0, b"\x89PNG\r\n\x1a\n", "a PNG picture"),
    (0, b"\xFF\xD8\xFF", "a JPEG picture"),
    (0, b"GIF8", "a GIF picture"),
    (8, b"WEBP", "a WebP picture"),
    (0, b"II*\0", "a TIFF picture"),
    (0, b"MM\0*", "a TIFF picture"),
    (0, b"II+\0", "a TIFF picture"),
    (0, b"MM\0+", "a TIFF picture"),
    (0, b"8BPS", "a PSD picture"),
    (0, b"\x76\x2F\x31\x01", "an OpenEXR picture"),
    (0, b"#?RADIANCE", "a Radiance HDR picture"),
    (0, b"#?RGBE", "a Radiance HDR picture"),
    (0, b"qoif", "a QOI picture"),
    (0, b"DDS ", "a DDS texture"),
    (0, b"\xABKTX ", "a KTX texture"),
    (0, b"farbfeld", "a farbfeld picture"),
    (0, b"\xFF\x0A", "a JPEG XL picture"),
    (0, b"\0\0\0\x0CJXL \r\n", "a JPEG XL picture"),
    (0, b"\0\0\0\x0CjP  \r\n", "a JPEG 2000 picture"),
    (0, b"\xFF\x4F\xFF\x51", "a JPEG 2000 picture"),
    (4, b"ftypavi", "an AVIF picture"),
    (4, b"ftyphe", "a HEIC picture"),
    (4, b"ftypmif1", "a HEIC picture"),
    (4, b"ftypmsf1", "a HEIC picture"),
    (4, b"ftyp", "a film"),
    (0, b"\x1A\x45\xDF\xA3", "a film"),
    (0, b"\0\0\x01\0", "an icon"),
    (0, b"%PDF", "a PDF document"),
    (0, b"glTF", "a glTF scene"),
    (0, b"PK\x03\x04", "a ZIP archive"),
    (0, b"\x1F\x8B", "a gzip archive"),
    (0, b"BM", "a BMP picture"),
    (0, b"{\"displayTimeUnit\"", "a trace, which Perfetto opens"),
];

/// Most bytes before the first element of an SVG: a declaration, comments, a document type.
const PROLOGUE: usize = 4096;

pub fn noun(bytes: &[u8]) -> Option<&'static str> {
    let is = |(at, wanted, _): &&(usize, &[u8], &str)| bytes.get(*at..).is_some_and(|rest| rest.starts_with(wanted));
    if let Some((_, _, noun)) = SIGNATURES.iter().find(is) {
        return Some(*noun);
    }
    let text = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes).trim_ascii_start();
    let start = &text[..text.len().min(PROLOGUE)];
    let has = |word: &[u8]| start.windows(word.len()).any(|part| part.eq_ignore_ascii_case(word));
    match start.first() {
        Some(b'<') if has(b"<svg") && !has(b"<html") => Some("an SVG drawing"),
        Some(b'<') if has(b"<html") || has(b"<!doctype html") => Some("an HTML page"),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        for (bytes, expected) in [
            (&b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR"[..], Some("a PNG picture")),
            (b"\0\0\0\x20ftypavif\0\0\0\0", Some("an AVIF picture")),
            (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", Some("a HEIC picture")),
            (b"\0\0\0\x18ftypmif1\0\0\0\0mif1heic", Some("a HEIC picture")),
            (b"\0\0\0\x18ftypmp42\0\0\0\0", Some("a film")),
            (b"\0\0\0\x0CJXL \r\n\x87\n", Some("a JPEG XL picture")),
            (b"\xFF\x0A\xFA\x1F", Some("a JPEG XL picture")),
            (b"8BPS\0\x01\0\0", Some("a PSD picture")),
            (b"RIFF\x04\0\0\0WEBP", Some("a WebP picture")),
            (b"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", Some("an SVG drawing")),
            (b"\xEF\xBB\xBF<?xml version=\"1.0\"?>\n<!-- a -->\n<svg/>", Some("an SVG drawing")),
            (b"\n<!DOCTYPE html><html><svg></svg></html>", Some("an HTML page")),
            (b"<?xml version=\"1.0\"?><COLLADA/>", None),
            (b"{\"asset\": {}}", None),
            (b"", None),
            (b"RIFF", None),
        ] {
            assert_eq!(noun(bytes), expected, "{bytes:?}");
        }
    }
}
