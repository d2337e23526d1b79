//! Steps of the tour, as `assets/tour.toml` has them.

use serde::Deserialize;
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

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Target {
    Nothing,
    Setting {
        section: String,
        field: String,
    },
    Tab(String),
    /// A named part of the panels.
    Control(String),
}

#[derive(Clone, Debug, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
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
