//! TOML overlays of settings, for presets and `--set`; errors name the field and what was expected.

use serde::Serialize;
use toml::{Table, Value};

use super::settings::AnySettings;
use super::text::suggestion;

/// After an error, fields before it may be set.
pub fn lay(section: &mut dyn AnySettings, table: &Table) -> Result<(), String> {
    let fields = section.fields();
    for (name, value) in table {
        match section.index_of(name) {
            Some(index) => section.set(index, value)?,
            None => {
                let names = fields.iter().map(|field| field.name);
                return Err(format!("{name}: there is no such setting{}", suggestion(name, names)));
            }
        }
    }
    Ok(())
}

pub fn lay_sections(sections: &mut [(&str, &mut dyn AnySettings)], table: &Table) -> Result<(), String> {
    for (key, value) in table {
        let Some(at) = sections.iter().position(|(id, _)| id == key) else {
            let names = sections.iter().map(|(id, _)| *id);
            return Err(format!("{key}: there is no such section{}", suggestion(key, names)));
        };
        let Value::Table(fields) = value else {
            return Err(format!("{key} = {value}: expected a section, as in {key}.field = value or [{key}]"));
        };
        lay(sections[at].1, fields).map_err(|why| format!("{key}.{why}"))?;
    }
    Ok(())
}

/// `section.field=value`: the value is TOML, or else plain text.
pub fn parse_set(argument: &str) -> Result<Table, String> {
    let shape = || format!("\"{argument}\": expected technique.field=value");
    let (path, text) = argument.split_once('=').ok_or_else(shape)?;
    let path: Vec<&str> = path.split('.').map(str::trim).collect();
    let is_name = |word: &&str| !word.is_empty() && word.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    if path.len() < 2 || !path.iter().all(is_name) {
        return Err(shape());
    }
    let text = text.trim();
    // A line break could add a key, and a TOML comment would truncate a value.
    let value = match format!("value = {text}").parse::<Table>() {
        Ok(mut table) if table.len() == 1 => table.remove("value"),
        _ => None,
    };
    let mut value = value.unwrap_or_else(|| Value::String(text.into()));
    for word in path.iter().skip(1).rev() {
        value = Value::Table(Table::from_iter([(word.to_string(), value)]));
    }
    Ok(Table::from_iter([(path[0].to_string(), value)]))
}

pub fn parse_table(text: &str) -> Result<Table, String> {
    text.parse::<Table>().map_err(|error| {
        let before = error.span().map(|span| &text[..span.start.min(text.len())]);
        let line = before.map(|before| format!("line {}: ", before.matches('\n').count() + 1));
        format!("{}{}", line.unwrap_or_default(), error.message())
    })
}

pub fn to_toml<T: Serialize>(settings: &T) -> Result<String, String> {
    toml::to_string(settings).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use serde::Serialize;

    use super::super::settings::Value as SettingValue;
    use super::super::settings::{AnySettings, FieldMut, choices, settings};
    use super::*;

    choices! {
        /// What is drawn.
        pub enum Mode {
            /// As first described.
            Source = "source",
            /// Our lens.
            Lens = "lens",
        }
    }

    settings! {
        /// A sample
        /// of two lines.
        pub struct Glass {
            /// Half width of the lens.
            half_width: f32 = 190.0, range(8.0, 2000.0), unit "px", group "Shape";
            /// Blur.
            frost: f32 = 0.1, range(0.0, 64.0), unit "px", log;
            /// Levels.
            levels: u32 = 12, range(1, 16);
            /// Shadow.
            shadow: bool = true;
            /// Tint.
            tint: [f32; 3] = [1.0, 0.9, 0.8], color;
            /// Mode.
            mode: Mode = Mode::Lens, choice;
            /// Step in a view.
            step: u32 = 3, range(0, 9), view "steps";
        } internal {
            /// Whether it is benchmarked.
            benched: bool = false;
        }
    }

    settings! {
        /// Nothing to set.
        pub struct Empty {}
    }

    choices! {
        /// Names that are not words.
        pub enum Odd {
            /// Digits.
            Digits = "256",
            /// A switch.
            On = "on",
        }
    }

    #[test]
    fn a_choice_understands_numbers_and_switches() {
        let taken = |value: toml::Value| {
            let mut odd = Odd::On;
            SettingValue::take(&mut odd, &value).map(|()| odd)
        };
        assert_eq!(taken(toml::Value::Integer(256)), Some(Odd::Digits));
        assert_eq!(taken(toml::Value::String("256".into())), Some(Odd::Digits));
        assert_eq!(taken(toml::Value::Boolean(true)).map(Odd::title), Some("On".into()));
        assert_eq!(taken(toml::Value::Boolean(false)), None);
        assert_eq!(taken(toml::Value::Integer(-256)), None);
        assert_eq!(taken(toml::Value::Float(256.0)), None);
    }

    #[derive(Clone, Debug, Default, PartialEq, Serialize)]
    struct All {
        glass: Glass,
        empty: Empty,
        other: Glass,
    }

    impl All {
        fn lay(mut self, table: &Table) -> Result<Self, String> {
            let Self { glass, empty, other } = &mut self;
            lay_sections(&mut [("glass", glass), ("empty", empty), ("other", other)], table)?;
            Ok(self)
        }
    }

    fn after(sets: &[&str]) -> Result<All, String> {
        sets.iter().try_fold(All::default(), |all, set| all.lay(&parse_set(set)?))
    }

    #[test]
    fn round_trips_through_toml() {
        let mut all = All::default();
        all.glass.frost = 0.7;
        all.glass.mode = Mode::Source;
        all.other.tint = [0.1, 0.2, 0.3];
        (all.glass.step, all.glass.benched) = (5, true);
        let text = to_toml(&all).unwrap();
        assert!(text.contains("frost = 0.7\n") && text.contains("tint = [0.1, 0.2, 0.3]"), "{text}");
        assert!(text.find("half_width") < text.find("frost"), "declaration order: {text}");
        assert!(!text.contains("step") && !text.contains("benched"), "{text}");
        assert_eq!(all.clone().lay(&parse_table(&text).unwrap()), Ok(all.clone()));
        (all.glass.step, all.glass.benched) = (3, false);
        assert_eq!(All::default().lay(&parse_table(&text).unwrap()), Ok(all));
    }

    #[test]
    fn errors_name_the_field_and_what_was_expected() {
        for (set, message) in [
            ("glass.half_width=7.9", "glass.half_width = 7.9: expected a number from 8 to 2000 (px)"),
            ("glass.frost=inf", "glass.frost = inf: expected a number from 0 to 64 (px)"),
            ("glass.levels=17", "glass.levels = 17: expected a whole number from 1 to 16"),
            ("glass.levels=2.5", "glass.levels = 2.5: expected a whole number from 1 to 16"),
            ("glass.shadow=1", "glass.shadow = 1: expected true or false"),
            (
                "glass.tint=[1,2,nan]",
                "glass.tint = [1, 2, nan]: expected three numbers from 0 to 1, [red, green, blue]",
            ),
            ("glass.mode=lenz", "glass.mode = \"lenz\": expected one of \"source\", \"lens\""),
            ("glass.forst=1", "glass.forst: there is no such setting; did you mean \"frost\"?"),
            (
                "glass.q=1",
                "glass.q: there is no such setting; expected one of half_width, frost, levels, shadow, tint, mode, step",
            ),
            ("gless.frost=1", "gless: there is no such section; did you mean \"glass\"?"),
            ("glass..frost=1", "\"glass..frost=1\": expected technique.field=value"),
        ] {
            assert_eq!(after(&[set]), Err(message.to_owned()), "{set}");
        }
        let flat = All::default().lay(&parse_table("glass = 3").unwrap());
        assert_eq!(flat.unwrap_err(), "glass = 3: expected a section, as in glass.field = value or [glass]");
        assert!(parse_table("[glass]\nfrost = = 1").unwrap_err().starts_with("line 2: "));
        let one = lay(&mut Glass::default(), &parse_table("frost = -1").unwrap());
        assert_eq!(one.unwrap_err(), "frost = -1: expected a number from 0 to 64 (px)");
    }

    #[test]
    fn a_second_key_cannot_hide_in_a_value() {
        let table = parse_set("glass.mode=1\nfrost=2").unwrap();
        assert_eq!(table["glass"]["mode"].as_str(), Some("1\nfrost=2"));
        assert_eq!(parse_set("glass.mode=#ff0000").unwrap()["glass"]["mode"].as_str(), Some("#ff0000"));
    }

    #[test]
    fn a_failed_set_changes_nothing_and_check_sees_what_code_wrote() {
        let mut glass = Glass::default();
        assert!(glass.set(0, &Value::Float(1.0)).is_err() && glass.is_default(0));
        assert_eq!(glass.check(), Ok(()));
        match glass.field_mut(0) {
            FieldMut::Float(value) => *value = f32::NAN,
            _ => panic!("another one"),
        }
        assert_eq!(glass.check(), Err("half_width = nan: expected a number from 8 to 2000 (px)".into()));
        glass.reset(0);
        assert_eq!(glass, Glass::default());
        match glass.field_mut(5) {
            FieldMut::Choice(mode) => mode.choose(0),
            _ => panic!("another one"),
        }
        assert!(glass.mode.title() == "Source" && !glass.is_default(5));
    }

    #[test]
    fn bounds_are_rounded_like_values() {
        settings! {
            /// Bounds that f32 cannot hold.
            struct Tenths {
                /// A tenth.
                tenth: f32 = 0.1, range(0.0, 0.1);
                /// From seven tenths.
                seven: f32 = 0.7, range(0.7, 1.0);
            }
        }
        assert_eq!(Tenths::default().check(), Ok(()));
    }
}
