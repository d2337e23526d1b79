//! Steps of the tour, as `assets/tour.toml` has them.

use serde::Deserialize;
use std::str::FromStr;
use std::sync::OnceLock;

const TEXT: &str = include_str!("../../../assets/tour.toml");

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(deny_unknown_fields)]
pub(crate) struct TourStep {
    pub title: String,
    pub text: String,
    /// Key of the Help tab that does it; empty where there is none.
    pub key: String,
    pub points: Target,
    pub done: Goal,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    step: Vec<TourStep>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) enum Target {
    #[default]
    Nothing,
    Setting {
        section: String,
        field: String,
    },
    Tab(String),
    /// A named part of the panels.
    Control(String),
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Goal {
    Lens,
    Setting {
        section: String,
        field: String,
    },
    View,
    FinalImage,
    Tab(String),
    Page,
    /// By its id.
    Instrument(String),
}

fn setting(path: &str) -> Option<(String, String)> {
    path.split_once('.').map(|(section, field)| (section.to_owned(), field.to_owned()))
}

impl FromStr for Target {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let named = match text.split_once(' ') {
            None if text.is_empty() => Some(Self::Nothing),
            Some(("setting", path)) => setting(path).map(|(section, field)| Self::Setting { section, field }),
            Some(("tab", name)) => Some(Self::Tab(name.to_owned())),
            Some(("control", name)) => Some(Self::Control(name.to_owned())),
            _ => None,
        };
        named.ok_or(format!("{text:?}: expected setting SECTION.FIELD, tab NAME, control NAME, or nothing"))
    }
}

impl FromStr for Goal {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        let goal = match (text, text.split_once(' ')) {
            ("lens", _) => Some(Self::Lens),
            ("view", _) => Some(Self::View),
            ("final image", _) => Some(Self::FinalImage),
            ("page", _) => Some(Self::Page),
            (_, Some(("setting", path))) => setting(path).map(|(section, field)| Self::Setting { section, field }),
            (_, Some(("tab", name))) => Some(Self::Tab(name.to_owned())),
            (_, Some(("instrument", id))) => Some(Self::Instrument(id.to_owned())),
            _ => None,
        };
        goal.ok_or(format!(
            "{text:?}: expected lens, view, final image, page, setting SECTION.FIELD, tab NAME or instrument ID"
        ))
    }
}

macro_rules! from_text {
    ($($name:ident)*) => {$(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
            }
        }
    )*};
}
from_text!(Target Goal);

/// Empty where the file is wrong, which a test rules out.
pub(crate) fn steps() -> &'static [TourStep] {
    static STEPS: OnceLock<Vec<TourStep>> = OnceLock::new();
    STEPS.get_or_init(|| match toml::from_str::<File>(TEXT) {
        Ok(file) => file.step,
        Err(why) => {
            log::error!("assets/tour.toml: {}", why.message());
            Vec::new()
        }
    })
}
