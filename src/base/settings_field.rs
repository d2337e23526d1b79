//! Description of a field: type, range, texts and place.

use super::text::title;

/// Default limit of a text's characters.
pub const TEXT_CHARS: usize = 32;
/// Largest possible limit.
pub const MOST_CHARS: usize = 200;

/// A value that is selected from a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Named {
    /// Its name in presets and on the command line.
    pub name: &'static str,
    /// Its description.
    pub doc: &'static str,
    /// The panel's label if the name is not suitable; else empty.
    pub label: &'static str,
}

impl Named {
    /// Display name: `Single pass` for `single_pass`.
    #[must_use]
    pub fn title(&self) -> String {
        if self.label.is_empty() { title(self.name) } else { self.label.into() }
    }
}

/// Type of a field, and its allowed values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FieldKind {
    /// An `f32` from `min` to `max`, both included.
    Float {
        /// Smallest value allowed.
        min: f64,
        /// Largest value allowed.
        max: f64,
        /// Unit, such as `px`; empty for a plain number.
        unit: &'static str,
        /// Whether a slider should be logarithmic.
        log: bool,
    },
    /// A `u32` from `min` to `max`, both included.
    Int {
        /// Smallest value allowed.
        min: u32,
        /// Largest value allowed.
        max: u32,
        /// Unit; empty for a plain number.
        unit: &'static str,
        /// Whether a slider should be logarithmic.
        log: bool,
        /// Powers of two only.
        powers: bool,
    },
    /// `[u32; 2]`: width and height, each from 0 to `max`.
    Size {
        /// Largest side allowed.
        max: u32,
        /// Unit.
        unit: &'static str,
    },
    /// On or off.
    Bool,
    /// `[f32; 3]`: red, green, blue, each from 0 to 1.
    Color,
    /// One of these.
    Choice(&'static [Named]),
    /// A line of up to [`Field::chars`] characters; may be empty.
    Text,
}

/// Place of a field in panel, presets and lists.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Role {
    /// A row of its section.
    Setting,
    /// Parameter of these views of its technique, separated by `|`: a row below the view picker. No preset contains it.
    View(&'static str),
    /// State that the pointer edits, such as the camera's: no row. Presets contain it.
    State,
}

/// One field of a section.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name in Rust, in presets and after the dot of `--set`.
    pub name: &'static str,
    /// Its description, in one or two sentences.
    pub doc: &'static str,
    /// Type and range.
    pub kind: FieldKind,
    /// The panel's sub-header for it; empty for none.
    pub group: &'static str,
    /// Whether the rows of that sub-header are collapsed at first.
    pub folded: bool,
    /// The panel's label if the name is not suitable; else empty.
    pub label: &'static str,
    /// Factor of the displayed value.
    pub times: f64,
    /// Largest number of characters of a text.
    pub chars: usize,
    /// Condition for it to have an effect, see [`Field::when`]; empty for always.
    pub when: &'static str,
    /// Its place.
    pub role: Role,
    default: fn() -> toml::Value,
}

impl Field {
    /// Called by `settings!`; the options that follow the default there are the methods below.
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
            when: "",
            role: Role::Setting,
            default,
        }
    }

    /// Display name: `Frames in flight` for `frames_in_flight`.
    #[must_use]
    pub fn title(&self) -> String {
        if self.label.is_empty() { title(self.name) } else { self.label.into() }
    }

    /// Option `range(min, max)` of a number.
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

    /// Option `chars(n)` of a text: its largest number of characters.
    pub const fn chars(mut self, most: f64) -> Self {
        assert!(matches!(self.kind, FieldKind::Text) && most as usize <= MOST_CHARS, "chars: only of a text");
        self.chars = most as usize;
        self
    }

    /// Option `unit "px"` of a number.
    pub const fn unit(mut self, text: &'static str) -> Self {
        match &mut self.kind {
            FieldKind::Float { unit, .. } | FieldKind::Int { unit, .. } | FieldKind::Size { unit, .. } => *unit = text,
            _ => panic!("only numbers have a unit"),
        }
        self
    }

    /// Option `log` of a number: small values get more of the slider.
    pub const fn log(mut self) -> Self {
        match &mut self.kind {
            FieldKind::Float { log, .. } | FieldKind::Int { log, .. } => *log = true,
            _ => panic!("only numbers have a logarithmic slider"),
        }
        self
    }

    /// Option `powers_of_two` of an integer whose bounds are powers of two: no others are allowed.
    pub const fn powers_of_two(mut self) -> Self {
        match &mut self.kind {
            FieldKind::Int { min, max, powers, .. } if min.is_power_of_two() && max.is_power_of_two() => *powers = true,
            _ => panic!("powers_of_two: expected a whole number from one power of two to another"),
        }
        self
    }

    /// Option `color`: makes the type explicit.
    pub const fn color(self) -> Self {
        assert!(matches!(self.kind, FieldKind::Color), "a colour is an [f32; 3]");
        self
    }

    /// Option `choice`: makes the type explicit.
    pub const fn choice(self) -> Self {
        assert!(matches!(self.kind, FieldKind::Choice(_)), "the type of a choice is made by choices!");
        self
    }

    /// Option `group "Shape"`.
    pub const fn group(mut self, text: &'static str) -> Self {
        self.group = text;
        self
    }

    /// Option `folded`: the rows of its group are collapsed until the user expands them. The first field of a group decides.
    pub const fn folded(mut self) -> Self {
        self.folded = true;
        self
    }

    /// Option `label "Width"`: the display name. Presets and `--set` keep the name.
    pub const fn label(mut self, text: &'static str) -> Self {
        self.label = text;
        self
    }

    /// Option `times(2.0)` of a number: the panel shows twice the value.
    pub const fn times(mut self, factor: f64) -> Self {
        assert!(matches!(self.kind, FieldKind::Float { .. }), "only numbers are shown multiplied");
        self.times = factor;
        self
    }

    /// Option `when "mode=lens scene.place=court|many"`: it has an effect only if all of these fields, of its own section or of another,
    /// have one of the listed values; ` or ` separates alternatives. Otherwise the panel greys it.
    pub const fn when(mut self, text: &'static str) -> Self {
        self.when = text;
        self
    }

    /// Option `view "level|difference"`: a parameter of these views.
    pub const fn view(mut self, names: &'static str) -> Self {
        self.role = Role::View(names);
        self
    }

    /// Option `state`: edited by the pointer, without a row.
    pub const fn state(mut self) -> Self {
        self.role = Role::State;
        self
    }

    /// Whether it is a row of its section.
    #[must_use]
    pub fn is_setting(&self) -> bool {
        self.role == Role::Setting
    }

    /// Whether it is a parameter of the technique's view of this name.
    #[must_use]
    pub fn is_of_view(&self, name: &str) -> bool {
        matches!(self.role, Role::View(names) if names.split('|').any(|of| of == name))
    }

    /// Completes the description: a number without a range is a compile error, because a slider needs one.
    pub const fn finish(self) -> Self {
        if let FieldKind::Float { min, max, .. } = self.kind {
            assert!(min > f64::NEG_INFINITY && max < f64::INFINITY, "an f32 setting needs range(min, max)");
        }
        self
    }

    /// The default as a TOML value.
    pub fn default_value(&self) -> toml::Value {
        (self.default)()
    }

    /// The default in the syntax of a preset.
    pub fn default_text(&self) -> String {
        self.default_value().to_string()
    }

    /// The allowed values, for error messages and `list`: `a number from 8 to 2000 (px)`.
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
