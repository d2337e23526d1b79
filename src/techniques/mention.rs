//! Meaning of code in a technique's page.

use super::technique::{Info, ViewInfo};
use crate::base::settings::{Field, FieldKind, Role};

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

#[cfg(test)]
mod tests {
    use super::{
        super::{INFOS, Settings},
        *,
    };

    fn all_fields() -> Vec<(&'static str, &'static [Field])> {
        Settings::default().sections().iter().map(|section| (section.id, section.settings.fields())).collect()
    }

    #[test]
    fn code_is_found_among_settings_values_and_views() {
        let fields = all_fields();
        let of = |code| mention(code, "downsample", INFOS, &fields);
        let name = |place: FieldPlace| field_at(place, &fields).unwrap().name;
        let Some(Mention::Setting(place)) = of("downsample.ratio") else { panic!("a setting") };
        assert_eq!((place.section, name(place)), ("downsample", "ratio"));
        let Some(Mention::Setting(place)) = of("method") else { panic!("a setting of the page") };
        assert_eq!(name(place), "method");
        let Some(Mention::Value(place, value)) = of("lanczos3") else { panic!("a value") };
        assert_eq!((name(place), value.as_str()), ("method", Some("lanczos3")));
        let Some(Mention::Value(place, value)) = of("mip_chain.filter=box") else { panic!("a value elsewhere") };
        assert_eq!((place.section, name(place), value.as_str()), ("mip_chain", "filter", Some("box")));
        assert!(matches!(of("ratio = 16"), Some(Mention::Value(_, toml::Value::Integer(16)))));
        let Some(Mention::View([info, view])) = of("downsample/read") else { panic!("a view") };
        assert_eq!((INFOS[info].id, INFOS[info].views[view].name), ("downsample", "read"));
        for other in ["downsample.no", "no", "downsample/no", "ratio=many", "method=no", "", "/", "=", "bilinear.no"] {
            assert_eq!(of(other), None, "{other}");
        }
    }

    #[test]
    fn pages_name_what_there_is() {
        use crate::base::markdown::{Block, Style, blocks, pieces};
        let fields = all_fields();
        let (mut settings, mut views) = (0, 0);
        for info in INFOS {
            for block in blocks(info.doc) {
                let (Block::Text(text) | Block::Item(_, _, text)) = block else { continue };
                for (style, code) in pieces(&text) {
                    let is_path = code.contains([' ', '=', '*']) || code.ends_with(".rs") || code.ends_with(".md");
                    if style != Style::Code || is_path {
                        continue;
                    }
                    let found = mention(code, info.id, INFOS, &fields);
                    if let Some((section, _)) =
                        code.split_once('.').filter(|(of, _)| INFOS.iter().any(|info| info.id == *of))
                    {
                        settings += 1;
                        assert!(matches!(found, Some(Mention::Setting(_))), "{}: `{code}` of {section}", info.id);
                    }
                    views += usize::from(matches!(found, Some(Mention::View(_))));
                }
            }
        }
        assert!(settings > 60 && views > 40, "{settings} {views}");
    }
}
