//! Text of messages about files: names and numbers from a file, and causes without the types of the libraries that found them.

pub fn quoted(name: &str) -> String {
    let mut shown: String = name.chars().take(60).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

pub fn percent(part: f64) -> String {
    let percent = part * 100.0;
    let digits = if percent > 0.0 { (1.0 - percent.log10().floor()).clamp(0.0, 12.0) } else { 0.0 };
    format!("{percent:.0$} %", digits as usize)
}

pub fn no_json(problem: &serde_json::Error) -> String {
    match problem.classify() {
        serde_json::error::Category::Eof => "its JSON is cut off".into(),
        _ => format!("its JSON is broken at line {}, column {}", problem.line(), problem.column()),
    }
}

pub fn mismatch(problem: &serde_json::Error) -> String {
    let text = problem.to_string();
    let Some((found, expected)) = text.strip_prefix("invalid ").and_then(|rest| rest.rsplit_once(", expected ")) else {
        return text;
    };
    let expected = match expected {
        "usize" | "u64" | "u32" => "a whole number that is not negative",
        "f64" | "f32" => "a number",
        "a sequence" => "a list",
        "a map" => "an object",
        object if object.starts_with("struct ") => "an object",
        other => other,
    };
    let found = found.split_once(": ").map_or(found, |(_, found)| found);
    let number = found.split('`').nth(1);
    let found = match found.split(' ').next().unwrap_or_default() {
        "integer" | "floating" | "boolean" => number.unwrap_or(found),
        "string" => "a string",
        "sequence" => "a list",
        "map" => "an object",
        _ => found,
    };
    format!("expected {expected}, found {found}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_have_no_exponent() {
        for (part, text) in [
            (0.58, "58 %"),
            (0.995, "100 %"),
            (0.058, "5.8 %"),
            (0.000_321, "0.032 %"),
            (4.2e-9, "0.00000042 %"),
            (0.0, "0 %"),
        ] {
            assert_eq!(percent(part), text);
        }
    }
}
