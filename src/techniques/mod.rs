//! The trait of a technique, and the list.
//!
//! A technique is one folder here, one of the same name below `shaders/`, one page in `docs/`, one line in the list at
//! the end of this file, and one call in `renderer/score.rs`. Techniques never name each other: what one hands another
//! passes through the score.

pub mod mip_chain;

use crate::{
    base::settings::{AnySettings, Settings},
    gpu::{self, Gpu},
    lab::{Bench, Check},
};
use std::sync::Arc;

/// What every technique offers to panels, presets, tests, `verify` and `bench`. Recording is its own affair: each has
/// its own inputs and outputs, and the score calls it by name.
pub trait Technique: Sized {
    /// Word in pass paths, presets, `--set`, folders.
    const ID: &'static str;
    /// Name for a person.
    const TITLE: &'static str;
    /// Its page, in Markdown.
    const DOC: &'static str;
    /// Pictures of its inner workings.
    const VIEWS: &'static [ViewInfo];
    /// What can be changed while it runs.
    type Settings: Settings;

    /// Makes its pipelines.
    ///
    /// # Errors
    /// What the GPU floor says.
    fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self>;
    /// Its oracles.
    fn checks() -> Vec<Check>;
    /// Its benchmarks.
    fn benches() -> Vec<Bench>;
}

/// A named picture of a technique's inner workings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ViewInfo {
    /// Word after the slash of `--view technique/name`.
    pub name: &'static str,
    /// Name for a person.
    pub title: &'static str,
    /// What it shows, in a sentence.
    pub doc: &'static str,
    /// How to read its colours.
    pub legend: Legend,
}

/// How to read the colours of a view. Colours are sRGB, 0..255.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Legend {
    /// The picture explains itself.
    None,
    /// A colour each, with its meaning.
    Swatches(&'static [([u8; 3], &'static str)]),
    /// Colours at equal distances from the low end to the high end.
    Ramp {
        /// At least two colours.
        stops: &'static [[u8; 3]],
        /// What the first one means.
        low: &'static str,
        /// What the last one means.
        high: &'static str,
    },
}

/// A technique without its types, for lists.
#[derive(Clone, Copy)]
pub struct Info {
    /// [`Technique::ID`].
    pub id: &'static str,
    /// [`Technique::TITLE`].
    pub title: &'static str,
    /// [`Technique::DOC`].
    pub doc: &'static str,
    /// [`Technique::VIEWS`].
    pub views: &'static [ViewInfo],
    /// [`Technique::checks`].
    pub checks: fn() -> Vec<Check>,
    /// [`Technique::benches`].
    pub benches: fn() -> Vec<Bench>,
}

impl Info {
    const fn of<T: Technique>() -> Self {
        Self { id: T::ID, title: T::TITLE, doc: T::DOC, views: T::VIEWS, checks: T::checks, benches: T::benches }
    }
}

/// The settings of one technique, with its name: what panels and `--set` work on.
pub struct Section<'a> {
    /// Word in presets and `--set`.
    pub id: &'static str,
    /// Name for a person.
    pub title: &'static str,
    /// The settings.
    pub settings: &'a mut dyn AnySettings,
}

macro_rules! techniques {
    ($($id:ident: $technique:ty),* $(,)?) => {
        /// Every technique, ready to record.
        pub struct Techniques {
            $(#[doc = concat!("[`", stringify!($technique), "`]")] pub $id: $technique),*
        }

        impl Techniques {
            /// Makes all pipelines.
            ///
            /// # Errors
            /// What the GPU floor says.
            pub fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self> {
                Ok(Self { $($id: <$technique>::new(gpu)?),* })
            }
        }

        /// Every technique, in the order of the panel.
        pub const INFOS: &[Info] = &[$(Info::of::<$technique>()),*];

        /// Settings of every technique: a table each in a preset.
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct TechniqueSettings {
            $(#[doc = concat!("`[", stringify!($id), "]`")] pub $id: <$technique as Technique>::Settings),*
        }

        impl TechniqueSettings {
            /// All sections, in the order of the list.
            pub fn sections(&mut self) -> Vec<Section<'_>> {
                vec![$(Section {
                    id: <$technique>::ID, title: <$technique>::TITLE, settings: &mut self.$id,
                }),*]
            }
        }

        #[cfg(test)]
        mod list_tests {
            use super::*;

            /// Ids, fields, folders, shader folders and docs have the same names.
            #[test]
            fn names_agree() {
                let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
                $(
                    assert_eq!(stringify!($id), <$technique>::ID);
                    let mut places = vec![];
                    for place in ["src/techniques/ID", "shaders/ID", "docs/ID.md"] {
                        places.push(place.replace("ID", <$technique>::ID));
                    }
                    for place in places {
                        assert!(root.join(&place).exists(), "{place} is missing");
                    }
                    assert!(!<$technique>::checks().is_empty(), "{} has no oracle", <$technique>::ID);
                    assert!(!<$technique>::benches().is_empty(), "{} has no benchmark", <$technique>::ID);
                )*
                let mut folders: Vec<_> = std::fs::read_dir(root.join("src/techniques")).unwrap()
                    .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                    .filter(|name| !name.ends_with(".rs")).collect();
                folders.sort();
                let mut ids: Vec<_> = INFOS.iter().map(|info| info.id.to_owned()).collect();
                ids.sort();
                assert_eq!(folders, ids, "a folder that is not in the list");
            }

            #[test]
            fn defaults_are_in_range() {
                for section in TechniqueSettings::default().sections() {
                    section.settings.check().unwrap();
                }
            }
        }
    };
}

techniques! {
    mip_chain: mip_chain::MipChain,
}
