//! Types of settings, with their TOML form, widget and range check.

use super::settings_field::{Field, FieldKind, MOST_CHARS};
use std::{
    borrow::Cow,
    collections::BTreeSet,
    ops::Deref,
    sync::{Mutex, PoisonError},
};

pub enum FieldMut<'a> {
    Float(&'a mut f32),
    Int(&'a mut u32),
    Bool(&'a mut bool),
    Size(&'a mut [u32; 2]),
    Color(&'a mut [f32; 3]),
    Choice(&'a mut dyn Choice),
    Text(&'a mut ShortText),
}

/// `Copy`: each text that was ever set is kept once, as long as the program runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ShortText(&'static str);

impl ShortText {
    pub const fn new() -> Self {
        Self("")
    }

    pub const fn as_str(self) -> &'static str {
        self.0
    }
}

impl From<&str> for ShortText {
    fn from(text: &str) -> Self {
        static KEPT: Mutex<BTreeSet<&str>> = Mutex::new(BTreeSet::new());
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        Self(kept.get(text).copied().unwrap_or_else(|| {
            let text: &'static str = Box::leak(text.into());
            kept.insert(text);
            text
        }))
    }
}

impl Deref for ShortText {
    type Target = str;
    fn deref(&self) -> &str {
        self.0
    }
}

pub trait Choice {
    fn index(&self) -> usize;
    fn choose(&mut self, index: usize);
}

pub trait Value {
    fn to_toml(&self) -> toml::Value;
    fn take(&mut self, value: &toml::Value) -> Option<()>;
    fn field_mut(&mut self) -> FieldMut<'_>;
    fn is_allowed(&self, _field: &Field) -> bool {
        true
    }
}

pub trait Described: Value {
    const KIND: FieldKind;
}

/// The decimal that parses to the same `f32`: 0.1, not 0.10000000149.
fn decimal(value: f32) -> toml::Value {
    toml::Value::Float(value.to_string().parse().unwrap_or(f64::from(value)))
}

fn number(value: &toml::Value) -> Option<f32> {
    match value {
        toml::Value::Float(number) => Some(*number as f32),
        toml::Value::Integer(number) => Some(*number as f32),
        _ => None,
    }
}

impl Value for f32 {
    fn to_toml(&self) -> toml::Value {
        decimal(*self)
    }
    fn take(&mut self, value: &toml::Value) -> Option<()> {
        *self = number(value)?;
        Some(())
    }
    fn field_mut(&mut self) -> FieldMut<'_> {
        FieldMut::Float(self)
    }
    fn is_allowed(&self, field: &Field) -> bool {
        // The bounds are rounded as the value was: 0.1 is within 0 to 0.1. NaN is within nothing.
        matches!(field.kind, FieldKind::Float { min, max, .. } if (min as f32..=max as f32).contains(self))
    }
}

impl Described for f32 {
    const KIND: FieldKind = FieldKind::Float { min: f64::NEG_INFINITY, max: f64::INFINITY, unit: "", log: false };
}

impl Value for u32 {
    fn to_toml(&self) -> toml::Value {
        toml::Value::Integer((*self).into())
    }
    fn take(&mut self, value: &toml::Value) -> Option<()> {
        *self = value.as_integer()?.try_into().ok()?;
        Some(())
    }
    fn field_mut(&mut self) -> FieldMut<'_> {
        FieldMut::Int(self)
    }
    fn is_allowed(&self, field: &Field) -> bool {
        matches!(field.kind, FieldKind::Int { min, max, powers, .. }
            if (min..=max).contains(self) && (!powers || self.is_power_of_two()))
    }
}

impl Described for u32 {
    const KIND: FieldKind = FieldKind::Int { min: 0, max: u32::MAX, unit: "", log: false, powers: false };
}

impl Value for [u32; 2] {
    fn to_toml(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(Value::to_toml).collect())
    }
    fn take(&mut self, value: &toml::Value) -> Option<()> {
        let sides = value.as_array()?.iter().map(|side| side.as_integer()?.try_into().ok());
        *self = sides.collect::<Option<Vec<u32>>>()?.try_into().ok()?;
        Some(())
    }
    fn field_mut(&mut self) -> FieldMut<'_> {
        FieldMut::Size(self)
    }
    fn is_allowed(&self, field: &Field) -> bool {
        matches!(field.kind, FieldKind::Size { max, .. } if self.iter().all(|side| *side <= max))
    }
}

impl Described for [u32; 2] {
    const KIND: FieldKind = FieldKind::Size { max: u32::MAX, unit: "" };
}

impl Value for bool {
    fn to_toml(&self) -> toml::Value {
        toml::Value::Boolean(*self)
    }
    fn take(&mut self, value: &toml::Value) -> Option<()> {
        *self = value.as_bool()?;
        Some(())
    }
    fn field_mut(&mut self) -> FieldMut<'_> {
        FieldMut::Bool(self)
    }
}

impl Described for bool {
    const KIND: FieldKind = FieldKind::Bool;
}

impl Value for [f32; 3] {
    fn to_toml(&self) -> toml::Value {
        toml::Value::Array(self.iter().map(|channel| decimal(*channel)).collect())
    }
    fn take(&mut self, value: &toml::Value) -> Option<()> {
        let channels: Vec<f32> = value.as_array()?.iter().map(number).collect::<Option<_>>()?;
        *self = channels.try_into().ok()?;
        Some(())
    }
    fn field_mut(&mut self) -> FieldMut<'_> {
        FieldMut::Color(self)
    }
    fn is_allowed(&self, _field: &Field) -> bool {
        self.iter().all(|channel| (0.0..=1.0).contains(channel))
    }
}

impl Described for [f32; 3] {
    const KIND: FieldKind = FieldKind::Color;
}

impl Value for ShortText {
    fn to_toml(&self) -> toml::Value {
        toml::Value::String(self.to_string())
    }
    fn take(&mut self, value: &toml::Value) -> Option<()> {
        let text = match value {
            toml::Value::Array(_) | toml::Value::Table(_) => return None,
            value => value.as_str().map_or_else(|| value.to_string(), str::to_owned),
        };
        *self = (text.len() <= 4 * MOST_CHARS).then(|| ShortText::from(&*text))?;
        Some(())
    }
    fn field_mut(&mut self) -> FieldMut<'_> {
        FieldMut::Text(self)
    }
    fn is_allowed(&self, field: &Field) -> bool {
        self.chars().count() <= field.chars && !self.contains(char::is_control)
    }
}

impl Described for ShortText {
    const KIND: FieldKind = FieldKind::Text;
}

/// A choice's name: `true` and `false` mean "on" and "off", an integer its digits.
#[doc(hidden)]
pub fn picked(value: &toml::Value) -> Option<Cow<'_, str>> {
    match value {
        toml::Value::Boolean(on) => Some(if *on { "on" } else { "off" }.into()),
        toml::Value::Integer(number) => Some(number.to_string().into()),
        value => value.as_str().map(Into::into),
    }
}

#[doc(hidden)]
pub fn set_slot(slot: &mut dyn Value, field: &Field, value: &toml::Value) -> Result<(), String> {
    let before = slot.to_toml();
    match slot.take(value) {
        Some(()) if slot.is_allowed(field) => Ok(()),
        taken => {
            if taken.is_some() {
                let _ = slot.take(&before);
            }
            Err(complaint(field, value))
        }
    }
}

fn complaint(field: &Field, value: &toml::Value) -> String {
    let mut text = value.to_string().replace('\n', " ");
    if text.chars().count() > 60 {
        text = text.chars().take(57).chain("...".chars()).collect();
    }
    format!("{} = {text}: expected {}", field.name, field.expected())
}
