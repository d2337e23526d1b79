//! Values of settings as text for a person.

use base::settings::{Field, FieldKind, Named};

pub fn default_text(field: &Field) -> String {
    value_text(field, &field.default_value())
}

pub fn value_text(field: &Field, value: &toml::Value) -> String {
    match field.kind {
        FieldKind::Choice(choices) => choices
            .iter()
            .find(|choice| value.as_str() == Some(choice.name))
            .map_or_else(|| value.to_string(), Named::title),
        FieldKind::Float { unit, .. } => {
            let shown = value.as_float().unwrap_or_default() * field.times;
            format!("{}{}", short((shown * 1e4).round() / 1e4, 4), suffix(unit))
        }
        FieldKind::Text if value.as_str() == Some("") => "none".into(),
        FieldKind::Bool => if value.as_bool() == Some(true) { "on" } else { "off" }.into(),
        _ => value.to_string(),
    }
}

pub fn short(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
}

/// A longer word does not fit and is in the tooltip.
pub fn suffix(unit: &str) -> String {
    match unit {
        "" => String::new(),
        "degrees" | "°" => "°".into(),
        "percent" | "%" => " %".into(),
        unit if unit.chars().count() > 3 => String::new(),
        unit => format!(" {unit}"),
    }
}
