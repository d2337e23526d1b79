//! The trait of a technique, and the list.
//!
//! A technique is one folder here, one of the same name below `shaders/`, one page in `docs/`, one line in the list at
//! the end of this file, and one call in `renderer/score.rs`. Techniques never name each other: what one hands another
//! passes through the score.

mod context;
pub mod glass;
pub mod meshlets;
pub mod mip_chain;
mod output;
pub mod pixel_sort;
pub mod shade;

pub use context::{FrameContext, PixelList, WorldFrame};
pub use output::{A_WORLD, COLOURS, Output, OutputInfo, OutputReadBack, PIXELS};

use crate::{
    base::{
        settings::{self, AnySettings},
        text,
        timing::FrameTiming,
    },
    gpu::{self, DisplaySettings, Frame, Gpu, ImageView},
    lab::{Bench, Check},
    scene::{HandSettings, SceneSettings, Source},
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
    /// Where in a frame it works, which says what its results depend on.
    const STAGE: Stage;
    /// Pictures of its inner workings.
    const VIEWS: &'static [ViewInfo];
    /// What it makes, by name: for `--save`.
    const OUTPUTS: &'static [OutputInfo];
    /// What can be changed while it runs.
    type Settings: settings::Settings;

    /// Makes its pipelines.
    ///
    /// # Errors
    /// What the GPU floor says.
    fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self>;
    /// Called after someone changed the settings: one field may set others (a preset of the technique's own).
    fn settle(_before: &Self::Settings, _now: &mut Self::Settings) {}
    /// Whether its views and its table are of a drawn world; `is_shown`: whether a world lies under the glass.
    fn views_world(_settings: &Self::Settings, _is_shown: bool) -> bool {
        Self::STAGE == Stage::World
    }
    /// Draws the view `name`, sRGB-encoded, over the whole of `picture`; false where what it shows is not there.
    ///
    /// # Errors
    /// An unknown name; what the GPU floor says.
    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> gpu::Result<bool>;
    /// The output `name` as the last frame left it; `context` is what that frame made. Nothing where that frame has none, as
    /// [`OutputInfo::needs`] says, or the name is not known.
    fn output(&self, name: &str, context: &FrameContext) -> Option<Output>;
    /// Takes what it measures out of a frame that has ended.
    ///
    /// # Errors
    /// What the GPU floor says.
    fn on_timing(&mut self, timing: &FrameTiming) -> gpu::Result<()>;
    /// Whether a measurement waits for another frame.
    fn wants_frame(&self) -> bool;
    /// What it has measured.
    fn table(&self) -> Option<Report>;
    /// Its oracles.
    fn checks() -> Vec<Check>;
    /// Its benchmarks.
    fn benches() -> Vec<Bench>;
}

/// Where in a frame a technique works.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// It makes the world's picture: drawn again only where the camera, the scene or a setting of this stage changes, with as
    /// many pixels as the world has.
    World,
    /// It works on the finished picture under the glass.
    Picture,
    /// It draws over the picture.
    Glass,
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

impl ViewInfo {
    /// `name` is the word after the slash, `title` the name for a person, `doc` a sentence.
    #[must_use]
    pub const fn new(name: &'static str, title: &'static str, doc: &'static str, legend: Legend) -> Self {
        Self { name, title, doc, legend }
    }
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

/// A small table that a technique has measured while it runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What was measured.
    pub title: String,
    /// Head of each column.
    pub head: Vec<&'static str>,
    /// Rows of as many cells.
    pub rows: Vec<Vec<String>>,
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
    /// [`Technique::STAGE`].
    pub stage: Stage,
    /// [`Technique::VIEWS`].
    pub views: &'static [ViewInfo],
    /// [`Technique::OUTPUTS`].
    pub outputs: &'static [OutputInfo],
    /// [`Technique::checks`].
    pub checks: fn() -> Vec<Check>,
    /// [`Technique::benches`].
    pub benches: fn() -> Vec<Bench>,
}

impl Settings {
    /// Lays TOML over the settings, as a preset file or `--set` does. A key `preset` counts first: the fields beside it
    /// are laid over what it sets.
    ///
    /// # Errors
    /// Names the field, and what was expected. Nothing is changed then.
    pub fn lay(&mut self, table: toml::Table) -> Result<(), String> {
        let (mut first, mut rest) = (toml::Table::new(), table);
        for (id, section) in &mut rest {
            if let Some(preset) = section.as_table_mut().and_then(|section| section.remove("preset")) {
                first.insert(id.clone(), toml::Table::from_iter([("preset".into(), preset)]).into());
            }
        }
        let mut now = self.clone();
        for table in [first, rest] {
            let mut next = settings::overlay(&now, table)?;
            for section in next.sections() {
                section.settings.check().map_err(|e| format!("{}.{e}", section.id))?;
            }
            next.settle(&now);
            now = next;
        }
        *self = now;
        Ok(())
    }
}

/// The technique of this id.
#[must_use]
pub fn info(id: &str) -> Option<&'static Info> {
    INFOS.iter().find(|info| info.id == id)
}

/// The same for an id that was typed.
///
/// # Errors
/// Says which there are.
pub fn typed_info(id: &str) -> Result<&'static Info, String> {
    let ids = INFOS.iter().map(|info| info.id);
    info(id).ok_or_else(|| format!("there is no technique {id:?}{}", text::suggestion(id, ids)))
}

impl Info {
    const fn of<T: Technique>() -> Self {
        Self {
            id: T::ID,
            title: T::TITLE,
            doc: T::DOC,
            stage: T::STAGE,
            views: T::VIEWS,
            outputs: T::OUTPUTS,
            checks: T::checks,
            benches: T::benches,
        }
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

            /// Draws a view; false where what it shows is not there.
            ///
            /// # Errors
            /// What the GPU floor says.
            pub fn draw_view(
                &mut self,
                frame: &mut Frame,
                (technique, name): (&str, &str),
                settings: &Settings,
                context: &FrameContext,
                picture: &ImageView,
            ) -> gpu::Result<bool> {
                $(if technique == <$technique>::ID {
                    return self.$id.draw_view(frame, name, &settings.$id, context, picture);
                })*
                Ok(false)
            }

            /// An output of the last frame, which made `context`; nothing where it has none.
            #[must_use]
            pub fn output(&self, (technique, name): (&str, &str), context: &FrameContext) -> Option<Output> {
                $(if technique == <$technique>::ID {
                    return self.$id.output(name, context);
                })*
                None
            }

            /// Hands every technique a frame that has ended.
            ///
            /// # Errors
            /// What the GPU floor says.
            pub fn on_timing(&mut self, timing: &FrameTiming) -> gpu::Result<()> {
                $(self.$id.on_timing(timing)?;)*
                Ok(())
            }

            /// Whether a measurement waits for another frame.
            #[must_use]
            pub fn wants_frame(&self) -> bool {
                [$(self.$id.wants_frame()),*].contains(&true)
            }

            /// What was measured: the id of each, and its table; tables of a world only where one lies under the glass.
            #[must_use]
            pub fn tables(&self, settings: &Settings, has_world: bool) -> Vec<(&'static str, Report)> {
                let mut all = Vec::new();
                $(if has_world || !<$technique>::views_world(&settings.$id, false) {
                    all.extend(self.$id.table().map(|table| (<$technique>::ID, table)));
                })*
                all
            }
        }

        /// Every technique, in the order of the panel.
        pub const INFOS: &[Info] = &[$(Info::of::<$technique>()),*];

        /// All settings: a preset file is this as TOML, a table for each section.
        #[derive(Clone, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Settings {
            /// `[display]`
            pub display: DisplaySettings,
            /// `[scene]`
            pub scene: SceneSettings,
            /// `[hand]`
            pub hand: HandSettings,
            $(#[doc = concat!("`[", stringify!($id), "]`")] pub $id: <$technique as Technique>::Settings),*
        }

        impl Settings {
            /// All sections: what is looked at, every technique in the order of the list, the hand, the display.
            pub fn sections(&mut self) -> Vec<Section<'_>> {
                vec![
                    Section { id: "scene", title: "Scene", settings: &mut self.scene },
                    $(Section { id: <$technique>::ID, title: <$technique>::TITLE, settings: &mut self.$id },)*
                    Section { id: "hand", title: "Hand", settings: &mut self.hand },
                    Section { id: "display", title: "Display", settings: &mut self.display },
                ]
            }

            /// The scene and the techniques of one stage as they are set, all else at its default: what results of that stage
            /// depend on.
            #[must_use]
            pub fn of_stage(&self, stage: Stage) -> Self {
                let mut only = Self { scene: self.scene.clone(), ..Self::default() };
                $(if <$technique>::STAGE == stage {
                    only.$id = self.$id.clone();
                })*
                only
            }

            /// Whether a technique's views need a drawn world.
            #[must_use]
            pub fn views_world(&self, technique: &str) -> bool {
                let is_shown = self.scene.source == Source::World;
                $(if technique == <$technique>::ID {
                    return <$technique>::views_world(&self.$id, is_shown);
                })*
                false
            }

            /// Lets fields that set others do so; `before` is what was there before someone changed something.
            pub fn settle(&mut self, before: &Self) {
                $(<$technique>::settle(&before.$id, &mut self.$id);)*
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
                    assert!(!<$technique>::OUTPUTS.is_empty(), "{} names nothing that it makes", <$technique>::ID);
                    for output in <$technique>::OUTPUTS {
                        let row = format!("| `{}/{}` | {} |", <$technique>::ID, output.name, output.kind());
                        assert!(<$technique>::DOC.contains(&row), "docs/{}.md has no {row}", <$technique>::ID);
                    }
                )*
                let mut folders: Vec<_> = std::fs::read_dir(root.join("src/techniques")).unwrap()
                    .map(|entry| entry.unwrap().file_name().into_string().unwrap())
                    .filter(|name| !name.ends_with(".rs")).collect();
                folders.sort();
                let mut ids: Vec<_> = INFOS.iter().map(|info| info.id.to_owned()).collect();
                ids.sort();
                assert_eq!(folders, ids, "a folder that is not in the list");
            }

            /// Every oracle of every technique, under validation: no message is allowed, leaks included.
            mod oracles {
                use super::*;
                $(#[test]
                fn $id() {
                    let gpu = Gpu::headless(true).unwrap();
                    let messages = gpu.messages();
                    let mut bench = crate::lab::TestBench::on(&gpu).unwrap();
                    let full = std::env::var_os("MENISCUS_FULL_ORACLES").is_some();
                    let effort = if full { crate::lab::Effort::Full } else { crate::lab::Effort::Quick };
                    let (mut tried, mut failed) = (0, vec![]);
                    for check in <$technique>::checks() {
                        check.run(&mut bench, effort, &mut |outcome| {
                            tried += 1;
                            if !outcome.verdict.passed {
                                failed.push(format!("{} {}: {}", check.name, outcome.case, outcome.verdict.text));
                            }
                        });
                    }
                    drop((bench, gpu));
                    assert_eq!(failed, Vec::<String>::new());
                    assert!(tried > 0);
                    assert_eq!(messages.all(), Vec::<String>::new());
                })*
            }

            #[test]
            fn defaults_are_in_range() {
                for section in Settings::default().sections() {
                    section.settings.check().unwrap();
                }
            }
        }
    };
}

techniques! {
    meshlets: meshlets::Meshlets,
    pixel_sort: pixel_sort::PixelSort,
    shade: shade::Shade,
    mip_chain: mip_chain::MipChain,
    glass: glass::LiquidGlass,
}
