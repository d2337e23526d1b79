//! Constants of Rust and GLSL, compared at compile time.

/// Declares constants that a shader below `shaders/` declares too (`NAME as GLSL_NAME`). A value that differs from the
/// GLSL text (a number, `a << b` or a vector) is a compile error.
#[macro_export]
macro_rules! gpu_consts {
    ($file:literal: $($(#[$meta:meta])* $vis:vis const $name:ident: $ty:ident $(as $glsl:ident)? = $value:expr;)*) => {$(
        $(#[$meta])*
        $vis const $name: $ty = $value;
        $crate::gpu_consts!(@check $file, $crate::gpu_consts!(@name $name $($glsl)?), $crate::gpu_consts!(@numbers $ty $name));
    )*};
    (@check $file:literal, $glsl:expr, $numbers:expr) => {
        const _: () = {
            let text = include_str!(concat!(env!("MENISCUS_CHECKOUT"), "/shaders/", $file));
            let message = concat!($glsl, " in shaders/", $file, " differs from the constant in ", file!(), ":", line!());
            $crate::consts::check(text, $glsl, $numbers, message);
        };
    };
    (@name $name:ident) => { stringify!($name) };
    (@name $name:ident $glsl:ident) => { stringify!($glsl) };
    (@numbers Vec3 $name:ident) => { (&[$name.x as f64, $name.y as f64, $name.z as f64], true) };
    (@numbers f32 $name:ident) => { (&[$name as f64], true) };
    (@numbers $ty:ident $name:ident) => { (&[$name as f64], false) };
}

/// `true`: single precision.
#[expect(clippy::panic, reason = "evaluated by the compiler")]
pub const fn check(glsl: &str, name: &str, numbers: (&[f64], bool), message: &str) {
    if !is_equal(glsl, name, numbers.0, numbers.1) {
        panic!("{}", message);
    }
}

const fn is_equal(glsl: &str, name: &str, numbers: &[f64], is_single: bool) -> bool {
    let (text, name) = (glsl.as_bytes(), name.as_bytes());
    let Some(mut at) = value_of(text, name) else { return false };
    let mut count = 0;
    while at < text.len() && text[at] != b';' && text[at] != b'\n' && !(text[at] == b',' && numbers.len() == 1) {
        if is_word(text[at]) && !text[at].is_ascii_digit() {
            at = after_word(text, at); // vec3
            continue;
        }
        if !text[at].is_ascii_digit() && text[at] != b'-' {
            at += 1;
            continue;
        }
        let (mut number, after) = number(text, at);
        at = after;
        if starts_with(text, at, b" << ") {
            let (shift, after) = self::number(text, at + 4);
            (number, at) = (((number as u64) << shift as u64) as f64, after);
        }
        let rounded = if is_single { number as f32 as f64 } else { number };
        if count == numbers.len() || rounded != numbers[count] {
            return false;
        }
        count += 1;
    }
    count == numbers.len()
}

const fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

const fn after_word(text: &[u8], mut at: usize) -> usize {
    while at < text.len() && is_word(text[at]) {
        at += 1;
    }
    at
}

const fn starts_with(text: &[u8], at: usize, start: &[u8]) -> bool {
    let mut i = 0;
    while i < start.len() {
        if at + i >= text.len() || text[at + i] != start[i] {
            return false;
        }
        i += 1;
    }
    true
}

const fn value_of(text: &[u8], name: &[u8]) -> Option<usize> {
    let (mut at, mut in_const) = (0, false);
    while at < text.len() {
        if starts_with(text, at, b"//") {
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
        } else if is_word(text[at]) {
            let end = after_word(text, at);
            let is_name = end - at == name.len() && starts_with(text, at, name);
            if is_name && in_const && starts_with(text, end, b" = ") {
                return Some(end + 3);
            }
            if is_name && at >= 8 && starts_with(text, at - 8, b"#define ") {
                return Some(end + 1);
            }
            in_const |= end - at == 5 && starts_with(text, at, b"const");
            at = end;
        } else {
            in_const &= text[at] != b';';
            at += 1;
        }
    }
    None
}

const fn number(text: &[u8], mut at: usize) -> (f64, usize) {
    let sign = if text[at] == b'-' { -1.0 } else { 1.0 };
    at += (text[at] == b'-') as usize;
    let is_hex = starts_with(text, at, b"0x");
    at += 2 * is_hex as usize;
    let base = if is_hex { 16 } else { 10 };
    let mut digits = 0_u64;
    let mut scale = 1.0;
    let mut is_part = false;
    while at < text.len() {
        match (text[at] as char).to_digit(base) {
            Some(digit) => {
                digits = digits * base as u64 + digit as u64;
                scale *= if is_part { 10.0 } else { 1.0 };
            }
            None if text[at] == b'.' && !is_part => is_part = true,
            None => break,
        }
        at += 1;
    }
    let mut value = sign * digits as f64 / scale;
    if at < text.len() && text[at] == b'e' {
        let (exponent, after) = number(text, at + 1);
        let mut i = 0.0;
        while i < exponent {
            value *= 10.0;
            i += 1.0;
        }
        at = after;
    }
    (value, after_word(text, at)) // of a suffix
}

#[cfg(test)]
mod tests {
    use super::*;

    const GLSL: &str = "// const uint A = 9;\n#define D 4 // four\nconst uint A = 1u, B = 0x1F,\n    C = 1u << 16;\n\
        const float F = 0.153, G = 6e4, H = -2.5;\nconst vec3 V = vec3(1.0, 0.5, -1.0);\nuint E = 7;\n";

    #[test]
    fn a_broken_constant_is_noticed() {
        let whole = |name: &str, value: f64| is_equal(GLSL, name, &[value], false);
        for (name, value) in [("A", 1.0), ("B", 31.0), ("C", 65536.0), ("D", 4.0), ("G", 6e4), ("H", -2.5)] {
            assert!(whole(name, value) && !whole(name, value + 1.0), "{name}");
        }
        assert!(!whole("E", 7.0) && !whole("missing", 0.0), "no constant");
        assert!(is_equal(GLSL, "F", &[0.153_f32.into()], true) && !is_equal(GLSL, "F", &[0.154_f32.into()], true));
        assert!(is_equal(GLSL, "V", &[1.0, 0.5, -1.0], true) && !is_equal(GLSL, "V", &[1.0, 0.5], true));
        assert!(!is_equal(GLSL, "V", &[1.0, 0.5, 1.0], true));
    }

    #[test]
    #[should_panic = "TILE in a.comp differs from the constant in b.rs"]
    fn the_message_names_both() {
        check("const uint TILE = 16;", "TILE", (&[8.0], false), "TILE in a.comp differs from the constant in b.rs");
    }
}
