//! Number formatting, percent escapes, and suggestions for misspelt names.

/// `850 ns`, `12.3 µs`, `4.56 ms`, `1.20 s`.
pub fn micros(us: f64) -> String {
    let [figure, unit] = micros_in_unit(us);
    format!("{figure} {unit}")
}

/// The figure has at most four characters up to a quarter of an hour, five if negative.
pub fn micros_in_unit(us: f64) -> [String; 2] {
    let (figure, unit) = match us.abs() {
        0.0 => ("0".into(), "µs"),
        size if size < 0.9995 => (fixed(us * 1e3, 0), "ns"),
        size if size < 999.5 => (three_digits(us), "µs"),
        size if size < 999.5e3 => (three_digits(us / 1e3), "ms"),
        _ => (three_digits(us / 1e6), "s"),
    };
    [figure, unit.into()]
}

pub fn fixed(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    // Empty sums are -0.0, and small losses round to it.
    match text.strip_prefix('-').filter(|rest| !rest.contains(|c: char| c.is_ascii_digit() && c != '0')) {
        Some(zero) if value.is_finite() => zero.into(),
        _ => text,
    }
}

/// A number without a sign.
pub fn digits(text: &str) -> Option<u32> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// `12.5 %` from a fraction.
pub fn percent(part: f64, decimals: usize) -> String {
    format!("{} %", fixed(100.0 * part, decimals))
}

pub fn change(part: f64, decimals: usize) -> String {
    let text = percent(part, decimals);
    let is_zero = !text.contains(|c: char| ('1'..='9').contains(&c));
    if text.starts_with('-') || is_zero || part.is_nan() { text } else { format!("+{text}") }
}

/// In powers of 1024: `512 B`, `1.50 KiB`, `64.0 MiB`.
pub fn bytes(count: u64) -> String {
    if count < 1024 {
        return format!("{count} B");
    }
    in_unit(count as f64 / 1024.0, 1024.0, &["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"]).join(" ")
}

/// Three digits, and the unit; each unit is `step` of the one before it.
pub fn in_unit(mut value: f64, step: f64, units: &[&str]) -> [String; 2] {
    let mut at = 0;
    while value >= 999.5 && at + 1 < units.len() {
        (value, at) = (value / step, at + 1);
    }
    [three_digits(value), units[at].into()]
}

/// In 10^9 bytes a second: `3.20 GB/s`; a dash if the time is not positive.
pub fn bandwidth(count: u64, us: f64) -> String {
    if us > 0.0 { format!("{} GB/s", three_digits(count as f64 / us / 1e3)) } else { "-".into() }
}

/// `1 mesh`, `2 meshes`.
pub fn counted(count: usize, noun: &str) -> String {
    let ending = match count {
        1 => "",
        _ if noun.ends_with("sh") => "es",
        _ => "s",
    };
    format!("{count} {noun}{ending}")
}

/// Groups of three digits, separated by thin spaces if there are more than four: `1 234 567`.
pub fn thousands(number: u64) -> String {
    let digits = number.to_string();
    if digits.len() < 5 {
        return digits;
    }
    let first = digits.len() % 3;
    let groups = digits.as_bytes()[first..].chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    let first = (first > 0).then(|| digits[..first].to_owned());
    first.into_iter().chain(groups).collect::<Vec<_>>().join("\u{2009}")
}

fn three_digits(value: f64) -> String {
    match value.abs() {
        size if size < 9.995 => format!("{value:.2}"),
        size if size < 99.95 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

pub fn title(name: &str) -> String {
    const INITIALS: [&str; 12] = ["ior", "gpu", "cpu", "rgb", "rgba", "srgb", "hdr", "uv", "id", "ids", "lod", "brlt"];
    let words =
        name.split('_').map(|word| if INITIALS.contains(&word) { word.to_uppercase() } else { word.to_owned() });
    sentence(&words.collect::<Vec<_>>().join(" "))
}

pub fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// `No such file or directory (os error 2)` is clear without the parenthesis.
pub fn without_codes(text: &str) -> String {
    let mut parts = text.split(" (os error ");
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = part.trim_start_matches('-').trim_start_matches(|c: char| c.is_ascii_digit());
        match digits.strip_prefix(')') {
            Some(rest) => plain.push_str(rest),
            None => plain.extend([" (os error ", part]),
        }
    }
    plain
}

/// At most a third of its letters is wrong, or it is a prefix of exactly one name.
pub fn closest<'a>(typed: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |name: &str| name.to_lowercase().replace('-', "_");
    let wanted = plain(typed);
    let names: Vec<&str> = names.into_iter().collect();
    let best = names.iter().map(|name| (edits(&wanted, &plain(name)), *name)).min_by_key(|(edits, _)| *edits);
    match best {
        Some((edits, name)) if edits * 3 <= wanted.chars().count().max(3) => Some(name),
        _ if wanted.is_empty() => None,
        _ => {
            let mut begins = names.iter().filter(|name| plain(name).starts_with(&wanted));
            begins.next().copied().filter(|_| begins.next().is_none())
        }
    }
}

/// End of a message about an unknown name: `; did you mean "frost"?`, else `; expected one of a, b, c`.
pub fn suggestion<'a>(typed: &str, names: impl IntoIterator<Item = &'a str> + Clone) -> String {
    match closest(typed, names.clone()).filter(|name| *name != typed) {
        Some(name) => format!("; did you mean \"{name}\"?"),
        None => format!("; expected one of {}", names.into_iter().collect::<Vec<_>>().join(", ")),
    }
}

/// Optimal string alignment.
fn edits(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let replaced = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replaced.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

/// Decodes escapes with two digits (RFC 3986, 2.1); others stay.
pub fn percent_decoded(uri: &str) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16).map(|digit| digit as u8);
    let mut bytes = vec![];
    let mut rest = uri.as_bytes();
    while let [first, after @ ..] = rest {
        let code = match after {
            [high, low, ..] if *first == b'%' => digit(high).zip(digit(low)),
            _ => None,
        };
        match code {
            Some((high, low)) => {
                bytes.push(high << 4 | low);
                rest = &after[2..];
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units() {
        let cases = [(0.0, "0 µs"), (0.85, "850 ns"), (0.9999, "1.00 µs"), (12.34, "12.3 µs"), (999.7, "1.00 ms")];
        let more =
            [(4560.0, "4.56 ms"), (141_230.0, "141 ms"), (1.2e6, "1.20 s"), (12e6, "12.0 s"), (-12.0, "-12.0 µs")];
        for (us, text) in cases.into_iter().chain(more) {
            assert_eq!(micros(us), text);
        }
        for step in 0..400 {
            let [figure, unit] = micros_in_unit((1e-3 * 1.07_f64.powi(step)).min(9e8));
            assert!(figure.len() <= 4 && unit.chars().count() <= 2, "{figure} {unit}");
        }
        for (count, text) in
            [(0, "0 B"), (1023, "1023 B"), (1536, "1.50 KiB"), (64 << 20, "64.0 MiB"), (1 << 40, "1.00 TiB")]
        {
            assert_eq!(bytes(count), text);
        }
        assert_eq!(bytes(u64::MAX), "16.0 EiB");
        assert_eq!(bandwidth(3_200_000, 1000.0), "3.20 GB/s");
        assert_eq!(bandwidth(1, 0.0), "-");
    }

    #[test]
    fn nothing_is_less_than_zero_by_rounding() {
        for (value, decimals, text) in [(-0.0, 1, "0.0"), (-0.04, 1, "0.0"), (-0.06, 1, "-0.1"), (2.0, 0, "2")] {
            assert_eq!(fixed(value, decimals), text);
        }
        let nothing: f64 = [].iter().sum();
        assert_eq!((percent(nothing, 1), percent(0.125, 1)), ("0.0 %".into(), "12.5 %".into()));
        let changes = [-0.0125, 0.0125, -1e-9, 1e-9].map(|part| change(part, 2));
        assert_eq!(changes, ["-1.25 %", "+1.25 %", "0.00 %", "0.00 %"]);
        assert_eq!([micros(-0.0), micros(-1e-6)], ["0 µs", "0 ns"]);
        assert!(fixed(f64::NAN, 1).contains("NaN") && fixed(f64::NEG_INFINITY, 0).contains("inf"));
    }

    #[test]
    fn long_numbers_are_grouped() {
        for (number, text) in
            [(0, "0"), (1920, "1920"), (65_536, "65 536"), (123_456, "123 456"), (4_194_304, "4 194 304")]
        {
            assert_eq!(thousands(number).replace('\u{2009}', " "), text);
        }
    }

    #[test]
    fn one_is_no_plural() {
        let counts = [(1, "pixel"), (0, "pixel"), (18, "pixel"), (1, "mesh"), (2, "mesh")];
        let words = counts.map(|(count, noun)| counted(count, noun));
        assert_eq!(words, ["1 pixel", "0 pixels", "18 pixels", "1 mesh", "2 meshes"]);
    }

    #[test]
    fn numbers_of_errors_go() {
        for (text, plain) in [
            ("a: No such file (os error 2)", "a: No such file"),
            ("a (No space (os error 28)); b (os error -1): c", "a (No space); b: c"),
            ("a (os error x) (os error 3", "a (os error x) (os error 3"),
            ("", ""),
        ] {
            assert_eq!(without_codes(text), plain);
        }
        let missing = std::fs::read("no/such/file").unwrap_err().to_string();
        assert!(missing.contains("(os error") && !without_codes(&missing).contains("os error"), "{missing}");
    }

    #[test]
    fn near_names_are_offered_and_far_ones_are_not() {
        let names = ["frost", "half_width", "half_height", "ior", "levels_per_dispatch"];
        for (typed, meant) in
            [("forst", "frost"), ("Half-Width", "half_width"), ("iro", "ior"), ("levels", "levels_per_dispatch")]
        {
            assert_eq!(closest(typed, names), Some(meant), "{typed}");
        }
        for typed in ["", "banana", "half", "x"] {
            assert_eq!(closest(typed, names), None, "{typed}");
        }
        assert_eq!(suggestion("forst", names), "; did you mean \"frost\"?");
        assert_eq!(suggestion("a_b", ["a_b", "c_d"]), "; expected one of a_b, c_d");
        assert_eq!(suggestion("q", ["a_b", "c_d"]), "; expected one of a_b, c_d");
        assert_eq!(closest("a", []), None);
    }
}
