//! Words of messages about files: names from a file, and causes without the types of the libraries that found them.

/// A name from a file in quotation marks, at most 60 characters of it.
pub fn quoted(name: &str) -> String {
    let mut shown: String = name.chars().take(60).collect();
    if shown.len() < name.len() {
        shown.push('…');
    }
    format!("\"{shown}\"")
}

/// What is wrong with an object of the JSON, and what was expected.
pub fn mismatch(problem: &serde_json::Error) -> String {
    let text = problem.to_string();
    // serde: "invalid type: FOUND, expected WHAT", "invalid length N, expected WHAT", or a sentence without types.
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
