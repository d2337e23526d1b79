//! Code generated from the list of techniques.

/// The code if the first capability, of a technique, is the second; none without the feature `lab`.
#[cfg(feature = "lab")]
macro_rules! if_capable {
    (Checks Checks $($code:tt)*) => { $($code)* };
    (Benches Benches $($code:tt)*) => { $($code)* };
    (Breaks Breaks $($code:tt)*) => { $($code)* };
    (Explains Explains $($code:tt)*) => { $($code)* };
    (Replays Replays $($code:tt)*) => { $($code)* };
    (Compares Compares $($code:tt)*) => { $($code)* };
    ($has:ident $wanted:ident $($code:tt)*) => {};
}
#[cfg(not(feature = "lab"))]
macro_rules! if_capable {
    ($($any:tt)*) => {};
}

/// The state of a technique's comparison, if it has that capability.
#[cfg(feature = "lab")]
macro_rules! comparison_state {
    ($technique:ty;) => { () };
    ($technique:ty; Compares $($rest:ident)*) => { <$technique as Compares>::State };
    ($technique:ty; $other:ident $($rest:ident)*) => { comparison_state!($technique; $($rest)*) };
}
#[cfg(not(feature = "lab"))]
macro_rules! comparison_state {
    ($($any:tt)*) => {
        ()
    };
}

/// Declares the modules of a list `id: Type [capabilities], ..` of [`Technique`](technique::Technique)s, and
/// generates `Techniques`, `Settings` and `INFOS`.
macro_rules! techniques {
    ($($(#[cfg($cfg:meta)])? $id:ident: $technique:ident [$($capability:ident),*]),* $(,)?) => {
        pub struct Techniques {
            $($(#[cfg($cfg)])? #[doc = concat!("[`", stringify!($technique), "`]")] pub $id: $id::$technique,)*
            pub comparisons: Comparisons,
        }

        /// States of the comparisons, by technique.
        #[derive(Default)]
        pub struct Comparisons {
            $($(#[cfg($cfg)])? pub $id: comparison_state!($id::$technique; $($capability)*)),*
        }

        impl Techniques {
            pub fn new(gpu: &Arc<Gpu>) -> gpu::Result<Self> {
                Ok(Self { $($(#[cfg($cfg)])? $id: $id::$technique::new(gpu)?,)* comparisons: Comparisons::default() })
            }

            pub fn unsupported(settings: &Settings, gpu: &Gpu) -> Option<String> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? all.extend($id::$technique::unsupported(&settings.$id, gpu));)*
                all.into_iter().next()
            }

            pub fn draw_view(
                &mut self,
                frame: &mut Frame,
                technique: &str,
                name: &str,
                settings: &Settings,
                context: &FrameContext,
                picture: &ImageView,
            ) -> gpu::Result<bool> {
                match technique {
                    $($(#[cfg($cfg)])? $id::$technique::ID => {
                        $id::$technique::view_index(name)?;
                        self.$id.draw_view(frame, name, &settings.$id, context, picture)
                    })*
                    _ => Ok(false),
                }
            }

            pub fn prepare_outputs(&mut self, wanted: &[(&str, &str)]) {
                let of = |id| wanted.iter().filter(|(technique, _)| *technique == id).map(|(_, name)| *name).collect::<Vec<_>>();
                $($(#[cfg($cfg)])? self.$id.prepare_outputs(&of($id::$technique::ID));)*
            }

            pub fn output(&self, technique: &str, name: &str, context: &FrameContext) -> Option<Output> {
                match technique {
                    $($(#[cfg($cfg)])? $id::$technique::ID => self.$id.output(name, context),)*
                    _ => None,
                }
            }

            pub fn story_points() -> Vec<(&'static str, StoryPoint)> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Explains
                    all.extend($id::$technique::points().into_iter().map(|one| ($id::$technique::ID, one)));
                })* })*
                all
            }

            pub fn evidence(&self, context: &FrameContext) -> Vec<(&'static str, &'static str, Output)> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Explains
                    let named = |(name, output)| ($id::$technique::ID, name, output);
                    all.extend(self.$id.evidence(context).into_iter().map(named));
                })* })*
                all
            }

            pub fn explain(&self, settings: &Settings, pixel: StoryPixel<'_>) -> Vec<Step> {
                // Below what moves the picture, the story is that of the pixel which is seen.
                let mut seen = pixel;
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Explains
                    let at = self.$id.looks_at(&settings.$id, &pixel.of($id::$technique::ID));
                    seen.at = at.unwrap_or(seen.at);
                })* })*
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Explains
                    let technique = $id::$technique::ID;
                    let at = if $id::$technique::INFO.stage == Stage::Glass { pixel } else { seen };
                    let steps = self.$id.explain(&settings.$id, &at.of(technique));
                    let of_frame = |step: Step| {
                        let info = $id::$technique::STEPS.iter().find(|info| info.name == step.name);
                        let own = info.filter(|_| step.passes.is_empty());
                        let passes = own.map(|info| info.passes_of(technique, &pixel.texels.passes));
                        let found = step.place.and_then(|at| Crop::of(&pixel.texels.shown, at));
                        let picture = found.or_else(|| at.of(technique).crop(info?.picture));
                        Step { technique, pixel: at.at, picture, passes: passes.unwrap_or_else(|| step.passes.clone()), ..step }
                    };
                    all.extend(steps.into_iter().map(of_frame));
                })* })*
                all
            }

            pub fn record_replay(
                &self,
                frame: &mut Frame,
                technique: &str,
                settings: &Settings,
                context: &FrameContext,
            ) -> gpu::Result<Vec<(&'static str, &'static str, Output)>> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Replays if technique == $id::$technique::ID {
                    let named = |(name, output)| ($id::$technique::ID, name, output);
                    all.extend(self.$id.record_replay(frame, &settings.$id, context)?.into_iter().map(named));
                }})* })*
                Ok(all)
            }

            pub fn replay(&self, technique: &str, settings: &Settings, pixel: StoryPixel<'_>) -> Result<Replay, String> {
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Replays if technique == $id::$technique::ID {
                    let replay = self.$id.replay(&settings.$id, &pixel.of($id::$technique::ID))?;
                    return Ok(Replay { technique: $id::$technique::ID, ..replay });
                }})* })*
                Err(format!("The technique {technique:?} has no steps."))
            }

            pub fn on_timing(&mut self, timing: &FrameTiming) -> gpu::Result<()> {
                $($(#[cfg($cfg)])? {
                    self.$id.on_timing(timing)?;
                    $(if_capable! { $capability Compares self.$id.read_times(&mut self.comparisons.$id, timing)?; })*
                })*
                let now = ::std::time::Instant::now();
                self.comparisons().into_iter().for_each(|(_, comparison)| comparison.check(now));
                Ok(())
            }

            fn comparisons(&mut self) -> Vec<(&'static str, &mut Comparison)> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Compares
                    all.push(($id::$technique::ID, self.$id.comparison(&mut self.comparisons.$id)));
                })* })*
                all
            }

            pub fn comparison(&mut self, technique: &str) -> Option<&mut Comparison> {
                self.comparisons().into_iter().find(|(id, _)| *id == technique).map(|(_, comparison)| comparison)
            }

            pub fn set_subject(&mut self, frame: u64, subject: &str, settings: &Settings, has_world: bool) {
                let measurements = self.measurements(settings, has_world);
                for (id, comparison) in self.comparisons() {
                    if measurements.iter().any(|one| one.id == id && one.why_not.is_some()) {
                        comparison.stop();
                    }
                    comparison.set_subject(frame, subject);
                }
            }

            /// Those that `is_wanted` takes, by ID.
            pub fn restart(&mut self, is_wanted: &dyn Fn(&str) -> bool) {
                $($(#[cfg($cfg)])? if is_wanted($id::$technique::ID) {
                    self.$id.restart();
                })*
            }

            pub fn is_comparing(&mut self) -> bool {
                self.comparisons().into_iter().any(|(_, comparison)| comparison.is_active())
            }

            pub fn measurements(&self, settings: &Settings, has_world: bool) -> Vec<Measurement> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? { $(if_capable! { $capability Compares
                    all.push(self.$id.measurement(&self.comparisons.$id, &settings.$id, has_world));
                })* })*
                all
            }

            pub fn wants_frame(&self) -> bool {
                let mut wants = false;
                $($(#[cfg($cfg)])? {
                    wants |= self.$id.wants_frame();
                    $(if_capable! { $capability Compares wants |= self.$id.is_pending(&self.comparisons.$id); })*
                })*
                wants
            }

            pub fn tables(&self, settings: &Settings, has_world: bool) -> Vec<(&'static str, Report)> {
                let mut all = Vec::new();
                $($(#[cfg($cfg)])? if has_world || !$id::$technique::views_world(&settings.$id, false) {
                    all.extend(self.$id.table().map(|table| ($id::$technique::ID, table)));
                })*
                all
            }
        }

        pub const INFOS: &[Info] = &[$($(#[cfg($cfg)])? {
            let lab = LabInfo::NONE;
            $(
                // A misspelt capability is an error here.
                #[cfg(feature = "lab")]
                const _: () = { const fn has<T: $capability>() {} has::<$id::$technique>() };
                if_capable! { $capability Checks let lab = LabInfo { checks: $id::$technique::CHECKS, ..lab }; }
                if_capable! { $capability Benches let lab = LabInfo { benches: $id::$technique::BENCHES, ..lab }; }
                if_capable! { $capability Benches let lab = LabInfo { source_tables: $id::$technique::SOURCE_TABLES, ..lab }; }
                if_capable! { $capability Breaks let lab = LabInfo { breaks: $id::$technique::BREAKS, ..lab }; }
                if_capable! { $capability Explains let lab = LabInfo { story: $id::$technique::STEPS, ..lab }; }
                if_capable! { $capability Replays let lab = LabInfo { replays: $id::$technique::SHOWS, ..lab }; }
                if_capable! { $capability Compares let lab = LabInfo { measures: Some($id::$technique::MEASURES), ..lab }; }
            )*
            Info { lab, ..$id::$technique::INFO }
        }),*];

        #[derive(Clone, Debug, Default, PartialEq, ::serde::Serialize)]
        pub struct Settings {
            pub display: gpu::DisplaySettings,
            pub scene: ::scene::SceneSettings,
            pub hand: ::scene::HandSettings,
            /// No preset contains it.
            #[serde(skip)]
            pub lab: ::lab::LabSettings,
            $($(#[cfg($cfg)])? #[doc = concat!("`[", stringify!($id), "]`")] pub $id: <$id::$technique as Technique>::Settings),*
        }

        impl Settings {
            pub fn sections(&mut self) -> Vec<Section<'_>> {
                let mut all = vec![Section { id: "scene", title: "Scene", settings: &mut self.scene }];
                $($(#[cfg($cfg)])? all.push(Section { id: $id::$technique::ID, title: $id::$technique::INFO.title, settings: &mut self.$id });)*
                all.push(Section { id: "hand", title: "Motion & feel", settings: &mut self.hand });
                all.push(Section { id: "display", title: "Display", settings: &mut self.display });
                all.push(Section { id: "lab", title: "Break it", settings: &mut self.lab });
                all
            }

            pub fn of_stage(&self, stage: Stage) -> Self {
                let mut only = Self { scene: self.scene.clone(), ..Self::default() };
                $($(#[cfg($cfg)])? if $id::$technique::INFO.stage == stage {
                    only.$id = self.$id.clone();
                })*
                only
            }

            pub fn views_world(&self, technique: &str) -> bool {
                let is_shown = self.scene.source == ::scene::Source::World;
                match technique {
                    $($(#[cfg($cfg)])? $id::$technique::ID => $id::$technique::views_world(&self.$id, is_shown),)*
                    _ => false,
                }
            }

            pub fn settle(&mut self, before: &Self) {
                $($(#[cfg($cfg)])? $id::$technique::settle(Some(&before.$id), &mut self.$id);)*
            }

            fn apply_presets(&mut self, sections: &[String]) {
                $($(#[cfg($cfg)])? if sections.iter().any(|id| id == $id::$technique::ID) {
                    $id::$technique::settle(None, &mut self.$id);
                })*
            }
        }
    };
}
