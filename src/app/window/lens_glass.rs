//! Outline and glass of a document's lenses, as the panel and files have them.

use super::document::DocumentState;
use super::window_pair::{PairSettings, SideB};
use crate::lens_layout::Layout;
use crate::presets::LoadedPreset;
use glam::Vec2;
use scene::{Lens, LensGlass, LensOutline};
use std::sync::Arc;
use techniques::Settings;

impl DocumentState {
    /// With outline and glass of the selected lens.
    pub fn shown(&self) -> Settings {
        self.settings_of(self.lenses.get(self.selected))
    }

    pub fn stored_settings(&self) -> Settings {
        self.settings_of(self.lenses.first())
    }

    /// Without a lens: what the first one will be placed with.
    fn settings_of(&self, lens: Option<&Lens>) -> Settings {
        let glass = self.settings.glass.clone();
        let glass = match lens {
            Some(lens) => glass.of_lens(lens),
            None => glass.of_lens(&self.origin.glass.placed(Vec2::ZERO)),
        };
        Settings { glass, ..self.settings.clone() }
    }

    /// Outline and glass among them become those of the selected lens.
    pub fn take(&mut self, settings: Settings) {
        let before = self.shown().glass.outline();
        if let Some(lens) = self.lenses.get_mut(self.selected) {
            let now = settings.glass.placed(lens.center);
            // An outline outside the ranges of the settings is shown clamped; it stays.
            *lens = if now.outline == before { Lens { glass: now.glass, ..*lens } } else { now };
        }
        self.share(settings);
    }

    /// Keeps what all lenses share.
    pub fn share(&mut self, mut settings: Settings) {
        settings.glass = settings.glass.shared();
        self.settings = settings;
    }

    pub fn glasses(&self) -> Vec<LensGlass> {
        self.lenses.iter().map(|lens| lens.glass).collect()
    }

    pub(super) fn outlines(&self) -> Vec<(Vec2, LensOutline, Vec2)> {
        self.lenses.iter().map(|lens| (lens.center, lens.outline, lens.strain)).collect()
    }

    pub(super) fn exchange_glass(&mut self, other: &mut Self) {
        for (own, other) in self.lenses.iter_mut().zip(&mut other.lenses) {
            std::mem::swap(&mut own.glass, &mut other.glass);
        }
    }

    pub fn have_one_glass(&self) -> bool {
        self.lenses.windows(2).all(|two| two[0].glass == two[1].glass)
    }

    pub fn share_glass(&mut self) {
        if let Some(Lens { glass, .. }) = self.lenses.get(self.selected).copied() {
            self.lenses.iter_mut().for_each(|lens| lens.glass = glass);
        }
    }

    pub fn pair_settings(&self) -> PairSettings {
        PairSettings { settings: self.shown(), glasses: self.glasses() }
    }

    pub fn pin(&mut self, of: PairSettings) {
        let shaders = self.b.as_ref().and_then(|b| b.shaders.clone());
        self.b = Some(Arc::new(SideB { of, shaders }));
    }

    pub fn swap_pair(&mut self) {
        if let Some(b) = self.b.clone() {
            let mut of = b.of.clone();
            of.settings.scene.take_camera(&self.settings.scene);
            let mine = self.pair_settings();
            self.pin(mine);
            self.take_pair_settings(of);
        }
    }

    pub fn take_pair_settings(&mut self, of: PairSettings) {
        let beyond = of.settings.glass.lens_glass();
        self.share(of.settings);
        for (index, lens) in self.lenses.iter_mut().enumerate() {
            lens.glass = of.glasses.get(index).copied().unwrap_or(beyond);
        }
    }

    pub(super) fn saved_as(&mut self, name: String, layout: Option<Layout>) {
        let glass = self.stored_settings().glass;
        if self.lenses.len() > 1 || self.origin.layout.is_some() {
            (self.origin.glass, self.origin.layout) = (glass.clone(), layout);
        }
        self.origin.preset = Some(LoadedPreset { name, glass });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lens_layout::Layout;
    use crate::window::document::{Document, Edit};
    use glam::vec2;
    use glass::GlassSettings;

    fn document() -> Document {
        let settings = Settings::default();
        let lenses = [300.0, 500.0].map(|x| settings.glass.placed(vec2(x, 200.0))).into();
        Document::new(DocumentState { settings, lenses, selected: 1, ..DocumentState::default() }, 1.0)
    }

    fn frost(document: &mut Document, value: f32) {
        let mut written = document.settings().clone();
        written.glass.frost = value;
        document.edit_fields(vec![("glass", "frost")], &mut written);
    }

    fn select(document: &mut Document, index: usize) {
        document.adapt(|state| state.selected = index);
    }

    fn frosts(document: &Document) -> (Vec<f32>, f32) {
        (document.state().glasses().iter().map(|glass| glass.frost).collect(), document.settings().glass.frost)
    }

    #[test]
    fn the_panel_edits_the_selected_lens_and_undo_brings_its_glass_back() {
        let mut document = document();
        frost(&mut document, 9.0);
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 9.0));
        select(&mut document, 0);
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 0.5), "the panel shows the glass of the selected lens");
        frost(&mut document, 7.0);
        assert_eq!(frosts(&document), (vec![7.0, 9.0], 7.0));
        assert!(document.undo().is_some() && document.undo().is_some());
        assert!(frosts(&document).0 == [0.5, 0.5] && document.state().have_one_glass());
        assert!(document.redo().is_some());
        assert_eq!(frosts(&document).0, [0.5, 9.0]);
        select(&mut document, 1);
        document.edit(Edit::Once, DocumentState::share_glass);
        assert!(frosts(&document).0 == [9.0, 9.0] && document.state().have_one_glass());
        assert!(document.undo().is_some() && frosts(&document).0 == [0.5, 9.0]);
    }

    #[test]
    fn what_lenses_share_is_no_glass_of_one() {
        let mut document = document();
        let mut written = document.settings().clone();
        written.glass.melt = 10.0;
        document.edit_fields(vec![("glass", "melt")], &mut written);
        assert!(document.state().have_one_glass() && document.settings().glass.melt == 10.0);
        let shared = GlassSettings { melt: 10.0, ..GlassSettings::default() };
        assert_eq!(document.state().settings.glass, shared);
        frost(&mut document, 9.0);
        select(&mut document, 0);
        assert_eq!(document.settings().glass.melt, 10.0);
        assert_eq!(document.state().settings.glass, shared, "the frost is the lens' own");
    }

    #[test]
    fn a_comparison_keeps_the_glass_of_each_lens() {
        let mut document = document();
        frost(&mut document, 9.0);
        let mut kept = document.state().pair_settings();
        frost(&mut document, 20.0);
        document.edit(Edit::Once, |state| state.take_pair_settings(kept.clone()));
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 9.0));
        kept.lay("glass", "frost = 3.0".parse().unwrap()).unwrap();
        assert_eq!(kept.glasses.iter().map(|glass| glass.frost).collect::<Vec<_>>(), [3.0, 3.0]);
        assert!(kept.lay("glass", "frost = -3.0".parse().unwrap()).is_err() && kept.settings.glass.frost == 3.0);
    }

    #[test]
    fn a_preset_of_several_lenses_is_as_loaded_whichever_is_selected() {
        let mut document = document();
        frost(&mut document, 9.0);
        let layout = document.layout(vec2(1000.0, 500.0));
        assert!(layout.is_some() && document.active_preset().is_none());
        document.adapt(|state| state.saved_as("two".into(), layout.clone()));
        for index in [0, 1] {
            select(&mut document, index);
            assert_eq!(document.active_preset(), Some(("two", true)), "{index}");
        }
        frost(&mut document, 10.0);
        assert_eq!(document.active_preset(), Some(("two", false)));
    }

    #[test]
    fn stored_lenses_and_settings_are_the_same_document() {
        let (mut document, area) = (document(), vec2(1000.0, 500.0));
        frost(&mut document, 9.0);
        let (stored, layout) = (document.state().stored_settings(), document.layout(area).unwrap());
        assert_eq!(stored.glass.frost, 0.5);
        let text = crate::presets::text(&stored, Some(&layout)).unwrap();
        let mut table = base::settings::parse_table(&text).unwrap();
        let back = Layout::take(&mut table).unwrap().unwrap();
        let lenses = back.lenses(&stored.glass, area);
        assert_eq!(lenses.iter().map(|lens| lens.glass).collect::<Vec<_>>(), document.state().glasses());
    }
}
