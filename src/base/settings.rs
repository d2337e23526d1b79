//! Settings with a single description for the panel, the command line, presets, `list` and the range check.
//!
//! [`settings!`](crate::settings) declares a section, [`choices!`](crate::choices) the values of a field that is selected from a list.

use std::fmt::Debug;

use serde::Serialize;

pub use super::settings_field::{Field, FieldKind, MOST_CHARS, Named, Role, TEXT_CHARS};
pub use super::settings_toml::{lay, lay_sections, parse_set, parse_table, to_toml};
pub use super::settings_value::{Choice, Described, FieldMut, ShortText, Value};
#[doc(hidden)]
pub use super::settings_value::{picked, set_slot};
pub use crate::{choices, settings};

pub const fn plain(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// Indices are those of [`AnySettings::fields`].
pub trait AnySettings {
    fn doc(&self) -> &'static str;
    fn fields(&self) -> &'static [Field];
    /// Written values are not checked: see [`AnySettings::check`].
    fn field_mut(&mut self, index: usize) -> FieldMut<'_>;
    fn value(&self, index: usize) -> toml::Value;
    fn set(&mut self, index: usize, value: &toml::Value) -> Result<(), String>;

    fn index_of(&self, name: &str) -> Option<usize> {
        self.fields().iter().position(|field| field.name == name)
    }

    fn is_default(&self, index: usize) -> bool {
        self.value(index) == self.fields()[index].default_value()
    }

    fn reset(&mut self, index: usize) {
        let _ = self.set(index, &self.fields()[index].default_value());
    }

    /// Whether all values are in range.
    fn check(&mut self) -> Result<(), String> {
        (0..self.fields().len()).try_for_each(|index| self.set(index, &self.value(index)))
    }
}

pub trait Settings: AnySettings + Default + Clone + Debug + PartialEq + Serialize + Send + Sync + 'static {
    const DOC: &'static str;
    const FIELDS: &'static [Field];

    /// Of a number with a fraction.
    fn range(name: &str) -> Option<[f32; 2]> {
        match Self::FIELDS.iter().find(|field| field.name == name)?.kind {
            FieldKind::Float { min, max, .. } => Some([min as f32, max as f32]),
            _ => None,
        }
    }
}

/// Declares a section of settings. Fields of a second block, `internal`, are for checks and benchmarks only.
#[macro_export]
macro_rules! settings {
    ($(#[doc = $doc:literal])+ $vis:vis struct $name:ident { $(
        $(#[doc = $field_doc:literal])+
        $field:ident : $type:ty = $default:expr
        $(, $option:ident $( ( $($number:expr),+ ) )? $($text:literal)? )* ;
    )* } $(internal { $( $(#[doc = $variant_doc:literal])+ $variant:ident : $variant_type:ty = $variant_default:expr; )* })?) => {
        $(#[doc = $doc])+
        #[derive(Clone, Debug, PartialEq)]
        $vis struct $name {
            $( $(#[doc = $field_doc])+ pub $field: $type, )*
            $($( $(#[doc = $variant_doc])+ pub $variant: $variant_type, )*)?
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $( $field: $default, )* $($( $variant: $variant_default, )*)? }
            }
        }

        impl $crate::settings::Settings for $name {
            const DOC: &'static str = concat!($($doc),+).trim_ascii();
            const FIELDS: &'static [$crate::settings::Field] = &[ $(
                $crate::settings::Field::new(
                    $crate::settings::plain(stringify!($field)),
                    concat!($($field_doc),+),
                    <$type as $crate::settings::Described>::KIND,
                    || {
                        let default: $type = $default;
                        $crate::settings::Value::to_toml(&default)
                    },
                )
                $( .$option( $($($number as f64),+)? $($text)? ) )*
                .finish(),
            )* ];
        }

        impl $name {
            const SLOTS: &'static [fn(&mut Self) -> &mut dyn $crate::settings::Value] = &[ $( |all| &mut all.$field ),* ];
        }

        impl $crate::settings::AnySettings for $name {
            fn doc(&self) -> &'static str {
                <Self as $crate::settings::Settings>::DOC
            }
            fn fields(&self) -> &'static [$crate::settings::Field] {
                <Self as $crate::settings::Settings>::FIELDS
            }
            fn field_mut(&mut self, index: usize) -> $crate::settings::FieldMut<'_> {
                $name::SLOTS[index](self).field_mut()
            }
            fn value(&self, index: usize) -> $crate::toml::Value {
                let slots: &[&dyn $crate::settings::Value] = &[ $( &self.$field ),* ];
                slots[index].to_toml()
            }
            fn set(&mut self, index: usize, value: &$crate::toml::Value) -> ::std::result::Result<(), String> {
                let field = &<Self as $crate::settings::Settings>::FIELDS[index];
                $crate::settings::set_slot($name::SLOTS[index](self), field, value)
            }
        }

        impl $crate::serde::Serialize for $name {
            fn serialize<S: $crate::serde::Serializer>(&self, serializer: S) -> ::std::result::Result<S::Ok, S::Error> {
                use $crate::settings::{AnySettings, Role, Settings};
                let fields = Self::FIELDS.iter().enumerate().filter(|(_, field)| !matches!(field.role, Role::View(_)));
                serializer.collect_map(fields.map(|(index, field)| (field.name, self.value(index))))
            }
        }
    };
}

/// Declares the values of a field that is selected from a list. The string after `as` is a value's title.
#[macro_export]
macro_rules! choices {
    ($(#[doc = $doc:literal])+ $vis:vis enum $name:ident { $(
        $(#[doc = $choice_doc:literal])+ $choice:ident = $text:literal $(as $label:literal)?
    ),+ $(,)? }) => {
        $(#[doc = $doc])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        $vis enum $name { $( $(#[doc = $choice_doc])+ $choice, )+ }

        impl $name {
            pub const ALL: &'static [Self] = &[ $( Self::$choice ),+ ];

            pub const fn name(self) -> &'static str {
                match self { $( Self::$choice => $text, )+ }
            }

            pub fn title(self) -> String {
                Self::NAMED[self as usize].title()
            }

            const NAMED: &'static [$crate::settings::Named] = &[ $( $crate::settings::Named {
                name: $text,
                doc: concat!($($choice_doc),+).trim_ascii(),
                label: concat!($($label)?),
            } ),+ ];
        }

        impl $crate::settings::Described for $name {
            const KIND: $crate::settings::FieldKind = $crate::settings::FieldKind::Choice(Self::NAMED);
        }

        impl $crate::settings::Choice for $name {
            fn index(&self) -> usize {
                *self as usize
            }
            fn choose(&mut self, index: usize) {
                *self = Self::ALL[index];
            }
        }

        impl $crate::settings::Value for $name {
            fn to_toml(&self) -> $crate::toml::Value {
                $crate::toml::Value::String(self.name().into())
            }
            fn take(&mut self, value: &$crate::toml::Value) -> Option<()> {
                *self = $crate::settings::picked(value)?.parse().ok()?;
                Some(())
            }
            fn field_mut(&mut self) -> $crate::settings::FieldMut<'_> {
                $crate::settings::FieldMut::Choice(self)
            }
        }

        impl ::std::str::FromStr for $name {
            type Err = String;
            fn from_str(text: &str) -> ::std::result::Result<Self, String> {
                let names = Self::ALL.iter().map(|choice| choice.name());
                match Self::ALL.iter().find(|choice| choice.name() == text) {
                    Some(choice) => Ok(*choice),
                    None => Err(format!("\"{text}\"{}", $crate::text::suggestion(text, names))),
                }
            }
        }
    };
}
