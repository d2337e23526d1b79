//! Code generated from the list of techniques: instances ready to record, all settings, and the dispatch by name.

/// Makes `Techniques`, `Settings` and `INFOS` of a list `id: Type, ..` of [`Technique`](crate::techniques::Technique)s. The crate's own
/// list is at the end of `techniques/mod.rs`; `tests/technique.rs` makes another, with one technique more.
#[macro_export]
macro_rules! techniques {
    ($($id:ident: $technique:ty),* $(,)?) => {
        /// Every technique, ready to record.
        pub struct Techniques {
            $(#[doc = concat!("[`", stringify!($technique), "`]")] pub $id: $technique),*
        }

        impl Techniques {
            /// Makes all pipelines.
            pub fn new(gpu: &::std::sync::Arc<$crate::gpu::Gpu>) -> $crate::gpu::Result<Self> {
                Ok(Self { $($id: <$technique as $crate::techniques::Technique>::new(gpu)?),* })
            }

            /// The first setting that this device cannot follow, and what to choose instead.
            #[must_use]
            pub fn unsupported(settings: &Settings, gpu: &$crate::gpu::Gpu) -> Option<String> {
                None$(.or_else(|| <$technique as $crate::techniques::Technique>::unsupported(&settings.$id, gpu)))*
            }

            /// Draws a view; false if its subject is missing.
            pub fn draw_view(
                &mut self,
                frame: &mut $crate::gpu::Frame,
                (technique, name): (&str, &str),
                settings: &Settings,
                context: &$crate::techniques::FrameContext,
                picture: &$crate::gpu::ImageView,
            ) -> $crate::gpu::Result<bool> {
                $(if technique == <$technique as $crate::techniques::Technique>::ID {
                    return $crate::techniques::Technique::draw_view(&mut self.$id, frame, name, &settings.$id, context, picture);
                })*
                Ok(false)
            }

            /// An output of the last frame, which made `context`; nothing where it has none.
            #[must_use]
            pub fn output(&self, (technique, name): (&str, &str), context: &$crate::techniques::FrameContext) -> Option<$crate::techniques::Output> {
                $(if technique == <$technique as $crate::techniques::Technique>::ID {
                    return $crate::techniques::Technique::output(&self.$id, name, context);
                })*
                None
            }

            /// Hands every technique a frame that has ended.
            pub fn on_timing(&mut self, timing: &$crate::base::timing::FrameTiming) -> $crate::gpu::Result<()> {
                $($crate::techniques::Technique::on_timing(&mut self.$id, timing)?;)*
                let now = ::std::time::Instant::now();
                $(if let Some(comparison) = $crate::techniques::Technique::comparison(&mut self.$id) {
                    comparison.check(now);
                })*
                Ok(())
            }

            /// The comparison that a technique offers.
            pub fn comparison(&mut self, technique: &str) -> Option<&mut $crate::lab::Comparison> {
                $(if technique == <$technique as $crate::techniques::Technique>::ID {
                    return $crate::techniques::Technique::comparison(&mut self.$id);
                })*
                None
            }

            /// Passes size and state of `frame`'s picture to running comparisons; those that cannot continue are stopped.
            pub fn set_subject(&mut self, frame: u64, subject: &str, settings: &Settings, has_world: bool) {
                let refused: Vec<&'static str> = self
                    .measurements(settings, has_world)
                    .into_iter()
                    .filter(|one| one.why_not.is_some())
                    .map(|one| one.id)
                    .collect();
                $(if let Some(comparison) = $crate::techniques::Technique::comparison(&mut self.$id) {
                    if refused.contains(&<$technique as $crate::techniques::Technique>::ID) {
                        comparison.stop();
                    }
                    comparison.set_subject(frame, subject);
                })*
            }

            /// Whether a comparison runs.
            pub fn is_comparing(&mut self) -> bool {
                [$($crate::techniques::Technique::comparison(&mut self.$id).is_some_and(|one| one.is_active())),*].contains(&true)
            }

            /// Every measurement that is offered, in the order of the list.
            #[must_use]
            pub fn measurements(&self, settings: &Settings, has_world: bool) -> Vec<$crate::techniques::Measurement> {
                let mut all = Vec::new();
                $(if let Some(measures) = <$technique as $crate::techniques::Technique>::MEASURES {
                    let needs_world = <$technique as $crate::techniques::Technique>::STAGE == $crate::techniques::Stage::World;
                    let why_not = match needs_world && !has_world {
                        true => Some("It measures the 3D scene, which is not shown".to_owned()),
                        false => $crate::techniques::Technique::why_not_measured(&self.$id, &settings.$id),
                    };
                    let card = $crate::techniques::Technique::card(&self.$id);
                    all.push($crate::techniques::Measurement { id: <$technique as $crate::techniques::Technique>::ID, measures, why_not, card });
                })*
                all
            }

            /// Whether a measurement waits for another frame.
            #[must_use]
            pub fn wants_frame(&self) -> bool {
                [$($crate::techniques::Technique::wants_frame(&self.$id)),*].contains(&true)
            }

            /// Tables of counters, with the technique's id; tables of a world only where one is under the glass.
            #[must_use]
            pub fn tables(&self, settings: &Settings, has_world: bool) -> Vec<(&'static str, $crate::techniques::Report)> {
                let mut all = Vec::new();
                $(if has_world || !<$technique as $crate::techniques::Technique>::views_world(&settings.$id, false) {
                    all.extend($crate::techniques::Technique::table(&self.$id).map(|table| (<$technique as $crate::techniques::Technique>::ID, table)));
                })*
                all
            }
        }

        /// Every technique, in the order of the panel.
        pub const INFOS: &[$crate::techniques::Info] = &[$($crate::techniques::Info::of::<$technique>()),*];

        /// All settings: a preset file is this as TOML, a table for each section.
        #[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize, ::serde::Deserialize)]
        #[serde(default, deny_unknown_fields)]
        pub struct Settings {
            /// `[display]`
            pub display: $crate::gpu::DisplaySettings,
            /// `[scene]`
            pub scene: $crate::scene::SceneSettings,
            /// `[hand]`
            pub hand: $crate::scene::HandSettings,
            $(#[doc = concat!("`[", stringify!($id), "]`")] pub $id: <$technique as $crate::techniques::Technique>::Settings),*
        }

        impl Settings {
            /// Lays TOML over the settings, as a preset file or `--set` does. A key `preset` counts first: the fields beside it
            /// are laid over what it sets.
            ///
            /// # Errors
            /// Names the field, and what was expected. Nothing is changed then.
            pub fn lay(&mut self, table: toml::Table) -> Result<(), String> {
                let (mut first, mut rest) = (toml::Table::new(), table);
                for line in $crate::techniques::retired::remove(&mut rest) {
                    log::warn!("{line}");
                }
                for (id, section) in &mut rest {
                    if let Some(preset) = section.as_table_mut().and_then(|section| section.remove("preset")) {
                        first.insert(id.clone(), toml::Table::from_iter([("preset".into(), preset)]).into());
                    }
                }
                let laid_over = |now: &Self, table| {
                    let mut next = $crate::base::settings::overlay(now, table)?;
                    for section in next.sections() {
                        section.settings.check().map_err(|e| format!("{}.{e}", section.id))?;
                    }
                    Ok::<Self, String>(next)
                };
                let named: Vec<String> = first.keys().cloned().collect();
                let mut styled = laid_over(self, first)?;
                styled.settle(self);
                $(if named.iter().any(|id| id == stringify!($id)) {
                    <$technique as $crate::techniques::Technique>::apply_preset(&mut styled.$id);
                })*
                let mut now = laid_over(&styled, rest)?;
                now.settle(&styled);
                *self = now;
                Ok(())
            }

            /// All sections: the scene, every technique in the order of the list, the manipulator, the display.
            pub fn sections(&mut self) -> Vec<$crate::techniques::Section<'_>> {
                vec![
                    $crate::techniques::Section { id: "scene", title: "Scene", settings: &mut self.scene },
                    $($crate::techniques::Section { id: <$technique as $crate::techniques::Technique>::ID, title: <$technique as $crate::techniques::Technique>::TITLE, settings: &mut self.$id },)*
                    $crate::techniques::Section { id: "hand", title: "Motion & feel", settings: &mut self.hand },
                    $crate::techniques::Section { id: "display", title: "Display", settings: &mut self.display },
                ]
            }

            /// The scene and the techniques of one stage as they are set, all else at its default: what results of that stage
            /// depend on.
            #[must_use]
            pub fn of_stage(&self, stage: $crate::techniques::Stage) -> Self {
                let mut only = Self { scene: self.scene.clone(), ..Self::default() };
                $(if <$technique as $crate::techniques::Technique>::STAGE == stage {
                    only.$id = self.$id.clone();
                })*
                only
            }

            /// Whether a technique's views need a drawn world.
            #[must_use]
            pub fn views_world(&self, technique: &str) -> bool {
                let is_shown = self.scene.source == $crate::scene::Source::World;
                $(if technique == <$technique as $crate::techniques::Technique>::ID {
                    return <$technique as $crate::techniques::Technique>::views_world(&self.$id, is_shown);
                })*
                false
            }

            /// Lets fields that set others do so; `before` is what was there before someone changed something.
            pub fn settle(&mut self, before: &Self) {
                $(<$technique as $crate::techniques::Technique>::settle(&before.$id, &mut self.$id);)*
            }
        }
    };
}
