//! Description of a field: type, range, texts and place.

use super::text::title;

pub const TEXT_CHARS: usize = 32;
pub const MOST_CHARS: usize = 4096;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    pub name: &'static str,
    pub doc: &'static str,
    pub label: &'static str,
}

impl Named {
    pub fn title(&self) -> String {
        if self.label.is_empty() { title(self.name) } else { self.label.into() }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    Float {
        min: f64,
        max: f64,
        unit: &'static str,
        log: bool,
    },
    Int {
        min: u32,
        max: u32,
        unit: &'static str,
        log: bool,
        powers: bool,
    },
    /// Width and height, each from 0 to `max`.
    Size {
        max: u32,
        unit: &'static str,
    },
    Bool,
    /// Each from 0 to 1.
    Color,
    Choice(&'static [Named]),
    Text,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    Setting,
    /// Parameter of these views, separated by `|`: a row below the view picker. No preset contains it.
    View(&'static str),
    /// State that the pointer edits, such as the camera's: no row. Presets contain it.
    State,
}

#[derive(Clone, Copy, Debug)]
pub struct Field {
    pub name: &'static str,
    pub doc: &'static str,
    pub kind: FieldKind,
    pub group: &'static str,
    pub folded: bool,
    pub label: &'static str,
    pub times: f64,
    pub chars: usize,
    /// What an empty text expects.
    pub asks: &'static str,
    /// Texts of the section, separated by spaces, of which the first that is not empty takes its place.
    pub yields_to: &'static str,
    /// Condition for it to have an effect, see [`Field::when`]; empty for always.
    pub when: &'static str,
    pub role: Role,
    default: fn() -> toml::Value,
}

#[expect(clippy::panic, reason = "evaluated by the compiler")]
impl Field {
    /// Called by `settings!`; the methods below are the options after the default.
    pub const fn new(name: &'static str, doc: &'static str, kind: FieldKind, default: fn() -> toml::Value) -> Self {
        let doc = doc.trim_ascii();
        let (times, chars) = (1.0, TEXT_CHARS);
        Self {
            name,
            doc,
            kind,
            group: "",
            folded: false,
            label: "",
            times,
            chars,
            asks: "",
            yields_to: "",
            when: "",
            role: Role::Setting,
            default,
        }
    }

    pub fn title(&self) -> String {
        if self.label.is_empty() { title(self.name) } else { self.label.into() }
    }

    pub const fn range(mut self, low: f64, high: f64) -> Self {
        assert!(low < high, "range: the first bound must be the smaller one");
        match &mut self.kind {
            FieldKind::Float { min, max, .. } => (*min, *max) = (low, high),
            FieldKind::Int { min, max, .. } => (*min, *max) = (low as u32, high as u32),
            FieldKind::Size { max, .. } => {
                assert!(low == 0.0, "sides begin at 0");
                *max = high as u32;
            }
            _ => panic!("only numbers have a range"),
        }
        self
    }

    pub const fn chars(mut self, most: f64) -> Self {
        assert!(matches!(self.kind, FieldKind::Text) && most as usize <= MOST_CHARS, "chars: only of a text");
        self.chars = most as usize;
        self
    }

    pub const fn asks(mut self, text: &'static str) -> Self {
        assert!(matches!(self.kind, FieldKind::Text), "asks: only a text");
        self.asks = text;
        self
    }

    pub const fn yields_to(mut self, names: &'static str) -> Self {
        self.yields_to = names;
        self
    }

    pub const fn unit(mut self, text: &'static str) -> Self {
        match &mut self.kind {
            FieldKind::Float { unit, .. } | FieldKind::Int { unit, .. } | FieldKind::Size { unit, .. } => *unit = text,
            _ => panic!("only numbers have a unit"),
        }
        self
    }

    pub const fn log(mut self) -> Self {
        match &mut self.kind {
            FieldKind::Float { log, .. } | FieldKind::Int { log, .. } => *log = true,
            _ => panic!("only numbers have a logarithmic slider"),
        }
        self
    }

    pub const fn powers_of_two(mut self) -> Self {
        match &mut self.kind {
            FieldKind::Int { min, max, powers, .. } if min.is_power_of_two() && max.is_power_of_two() => *powers = true,
            _ => panic!("powers_of_two: expected a whole number from one power of two to another"),
        }
        self
    }

    pub const fn color(self) -> Self {
        assert!(matches!(self.kind, FieldKind::Color), "a colour is an [f32; 3]");
        self
    }

    pub const fn choice(self) -> Self {
        assert!(matches!(self.kind, FieldKind::Choice(_)), "the type of a choice is made by choices!");
        self
    }

    pub const fn group(mut self, text: &'static str) -> Self {
        self.group = text;
        self
    }

    pub const fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    pub const fn label(mut self, text: &'static str) -> Self {
        self.label = text;
        self
    }

    /// `times(2.0)`: the panel shows twice the value.
    pub const fn times(mut self, factor: f64) -> Self {
        assert!(matches!(self.kind, FieldKind::Float { .. }), "only numbers are shown multiplied");
        self.times = factor;
        self
    }

    /// `when "mode=lens scene.place=court|many"`: it has an effect only if all of these fields, of its own section or
    /// of another, have one of the listed values, or after `=!` none of them; a text is empty or `set`; ` or ` separates alternatives.
    pub const fn when(mut self, text: &'static str) -> Self {
        self.when = text;
        self
    }

    pub const fn view(mut self, names: &'static str) -> Self {
        self.role = Role::View(names);
        self
    }

    pub const fn state(mut self) -> Self {
        self.role = Role::State;
        self
    }

    pub fn is_setting(&self) -> bool {
        self.role == Role::Setting
    }

    pub fn is_of_view(&self, name: &str) -> bool {
        matches!(self.role, Role::View(names) if names.split('|').any(|of| of == name))
    }

    /// A number without a range is a compile error: a slider needs one.
    pub const fn finish(self) -> Self {
        if let FieldKind::Float { min, max, .. } = self.kind {
            assert!(min > f64::NEG_INFINITY && max < f64::INFINITY, "an f32 setting needs range(min, max)");
        }
        self
    }

    pub fn default_value(&self) -> toml::Value {
        (self.default)()
    }

    pub fn default_text(&self) -> String {
        self.default_value().to_string()
    }

    pub fn expected(&self) -> String {
        let in_unit = |unit: &str| if unit.is_empty() { String::new() } else { format!(" ({unit})") };
        match self.kind {
            FieldKind::Float { min, max, unit, .. } => format!("a number from {min} to {max}{}", in_unit(unit)),
            FieldKind::Int { min, max, unit, powers, .. } => {
                let sort = if powers { "power of two" } else { "whole number" };
                format!("a {sort} from {min} to {max}{}", in_unit(unit))
            }
            FieldKind::Size { max, unit } => {
                format!("two whole numbers from 0 to {max}, [width, height]{}", in_unit(unit))
            }
            FieldKind::Bool => "true or false".into(),
            FieldKind::Color => "three numbers from 0 to 1, [red, green, blue]".into(),
            FieldKind::Text => format!("a text of at most {} characters", self.chars),
            FieldKind::Choice(choices) => {
                let names: Vec<String> = choices.iter().map(|choice| format!("\"{}\"", choice.name)).collect();
                if names.len() == 1 { names.concat() } else { format!("one of {}", names.join(", ")) }
            }
        }
    }
}
