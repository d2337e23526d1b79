//! Meaning of code in a technique's page.

use super::technique::{Info, ViewInfo};
use base::settings::{Field, FieldKind, Role};

#[derive(Clone, Debug, PartialEq)]
pub enum Mention {
    Setting(FieldPlace),
    Value(FieldPlace, toml::Value),
    View([usize; 2]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FieldPlace {
    pub section: &'static str,
    pub index: usize,
}

pub type Fields<'a> = &'a [(&'static str, &'static [Field])];

/// `section.field`, a field of the technique, either with `=` and a value, a value of only one of its choices, or
/// `technique/view`.
pub fn mention(code: &str, technique: &str, infos: &[Info], fields: Fields<'_>) -> Option<Mention> {
    if let Some((of, name)) = code.split_once('/') {
        let at = infos.iter().position(|info| info.id == of)?;
        let view = infos[at].views.iter().position(|view: &ViewInfo| view.name == name)?;
        return Some(Mention::View([at, view]));
    }
    if let Some((name, value)) = code.split_once('=') {
        let place = field(name.trim(), technique, fields)?;
        let value = value_of(value.trim(), field_at(place, fields)?)?;
        return Some(Mention::Value(place, value));
    }
    field(code, technique, fields).map(Mention::Setting).or_else(|| choice(code, technique, fields))
}

pub fn field_at(place: FieldPlace, fields: Fields<'_>) -> Option<&'static Field> {
    let (_, all) = fields.iter().find(|(id, _)| *id == place.section)?;
    all.get(place.index)
}

fn field(name: &str, technique: &str, fields: Fields<'_>) -> Option<FieldPlace> {
    let (section, name) = name.split_once('.').unwrap_or((technique, name));
    let (id, all) = fields.iter().find(|(id, _)| *id == section)?;
    let index = all.iter().position(|field| field.name == name && has_row(field))?;
    Some(FieldPlace { section: id, index })
}

pub fn has_row(field: &Field) -> bool {
    field.role != Role::State
}

fn value_of(text: &str, field: &Field) -> Option<toml::Value> {
    let parsed = |text: &str| {
        let table: toml::Table = toml::from_str(&format!("value = {text}")).ok()?;
        table.get("value").cloned()
    };
    match field.kind {
        FieldKind::Choice(choices) => {
            let name = text.trim_matches('"');
            choices.iter().any(|choice| choice.name == name).then(|| toml::Value::from(name))
        }
        FieldKind::Float { .. } => match parsed(text)? {
            toml::Value::Integer(whole) => Some(toml::Value::Float(whole as f64)),
            value => value.is_float().then_some(value),
        },
        _ => parsed(text).filter(|value| value.same_type(&field.default_value())),
    }
}

fn choice(name: &str, technique: &str, fields: Fields<'_>) -> Option<Mention> {
    let (section, all) = fields.iter().find(|(id, _)| *id == technique)?;
    let has = |field: &Field| match field.kind {
        FieldKind::Choice(choices) => field.is_setting() && choices.iter().any(|choice| choice.name == name),
        _ => false,
    };
    let mut found = all.iter().enumerate().filter(|(_, field)| has(field));
    let (index, _) = found.next()?;
    let place = FieldPlace { section, index };
    found.next().is_none().then(|| Mention::Value(place, toml::Value::from(name)))
}
