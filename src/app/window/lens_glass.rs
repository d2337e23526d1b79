//! Glass of the lenses of a document: one for all, until one of several lenses is given its own.

use super::document::{DocumentState, show_shape};
use super::window_pair::{PairSettings, SideB};
use crate::app::lens_layout::Layout;
use crate::app::presets::LoadedPreset;
use crate::scene::Lens;
use crate::techniques::Settings;
use crate::techniques::glass::GlassSettings;
use glam::Vec2;
use std::sync::Arc;

impl DocumentState {
    /// The glass among them is that of the selected lens alone.
    pub fn change_settings(&mut self, change: impl FnOnce(&mut Settings)) {
        let before = self.settings.glass.lens_glass();
        change(&mut self.settings);
        let glass = self.settings.glass.lens_glass();
        if glass == before || self.lenses.len() < 2 && self.shared.is_none() {
            return;
        }
        self.shared.get_or_insert(before);
        if let Some(lens) = self.lenses.get_mut(self.selected) {
            lens.glass = Some(glass);
        }
    }

    /// Of all lenses if the preset `places` them, else as [`change_settings`](Self::change_settings).
    pub fn load_settings(&mut self, mut settings: Settings, places: bool) {
        settings.settle(&self.settings);
        if places {
            (self.settings, self.shared) = (settings, None);
        } else {
            self.change_settings(|own| *own = settings);
        }
    }

    pub fn share_glass(&mut self) {
        self.shared = None;
        self.lenses.iter_mut().for_each(|lens| lens.glass = None);
    }

    pub fn forget_own_glass(&mut self) {
        if let Some(shared) = self.shared.take().filter(|_| self.origin.layout.is_some()) {
            self.settings.glass.take_lens_glass(&shared);
        }
    }

    pub fn stored_settings(&self) -> Settings {
        let mut settings = self.settings.clone();
        self.shared.iter().for_each(|glass| settings.glass.take_lens_glass(glass));
        settings
    }

    pub fn with_shared(&self, lenses: Vec<Lens>) -> Vec<Lens> {
        lenses.into_iter().map(|lens| Lens { glass: lens.glass.or(self.shared), ..lens }).collect()
    }

    pub fn pair_settings(&self) -> PairSettings {
        let glasses = self.with_shared(self.lenses.clone()).iter().map(|lens| lens.glass).collect();
        PairSettings { settings: self.settings.clone(), glasses }
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
        (self.settings, self.shared) = (of.settings, None);
        for (lens, glass) in self.lenses.iter_mut().zip(of.glasses) {
            lens.glass = glass;
        }
    }

    /// Of a preset that placed lenses: the glass of each, and the shape of the first.
    pub fn active_preset(&self, scale: f32) -> Option<(&str, bool)> {
        let Some(layout) = &self.origin.layout else { return self.origin.active(&self.settings.glass) };
        let (name, is_as_loaded) = self.origin.active(&self.preset_glass(scale))?;
        let placed = layout.lenses(&self.origin.glass, Vec2::ONE, 1.0);
        let have_glass = placed.iter().map(|lens| lens.glass).eq(self.lenses.iter().map(|lens| lens.glass));
        Some((name, is_as_loaded && have_glass))
    }

    pub(super) fn saved_as(&mut self, name: String, layout: Option<Layout>, scale: f32) {
        let places = self.lenses.len() > 1 || self.origin.layout.is_some();
        if places {
            (self.origin.glass, self.origin.layout) = (self.preset_glass(scale), layout);
        }
        let glass = if places { self.origin.glass.clone() } else { self.settings.glass.clone() };
        self.origin.preset = Some(LoadedPreset { name, glass });
    }

    fn preset_glass(&self, scale: f32) -> GlassSettings {
        let mut glass = self.stored_settings().glass;
        self.lenses.first().into_iter().for_each(|first| show_shape(&mut glass, first, scale));
        glass
    }

    pub(super) fn show_glass(&mut self) {
        let glass = &mut self.settings.glass;
        let has_own = self.lenses.iter().any(|lens| lens.glass.is_some());
        let shared = self.shared.take().unwrap_or_else(|| glass.lens_glass());
        let own = self.lenses.get(self.selected).and_then(|lens| lens.glass);
        glass.take_lens_glass(&own.unwrap_or(shared));
        self.shared = has_own.then_some(shared);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::lens_layout::Layout;
    use crate::app::window::document::{Document, Edit};
    use glam::vec2;

    fn document() -> Document {
        let settings = Settings::default();
        let lenses = [300.0, 500.0].map(|x| settings.glass.placed(vec2(x, 200.0), 1.0)).into();
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
        let (state, shared) = (document.state(), document.settings().glass.frost);
        let drawn = state.with_shared(state.lenses.clone());
        (drawn.iter().map(|lens| lens.glass.map_or(shared, |glass| glass.frost)).collect(), shared)
    }

    #[test]
    fn the_panel_edits_the_selected_lens_and_undo_brings_its_glass_back() {
        let mut document = document();
        frost(&mut document, 9.0);
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 9.0));
        select(&mut document, 0);
        assert_eq!(frosts(&document), (vec![0.5, 9.0], 0.5), "the panel shows the glass of the selected lens");
        document.edit(Edit::Once, |state| state.change_settings(|settings| settings.glass.rim = 0.25));
        assert_eq!(document.state().lenses.iter().filter(|lens| lens.glass.is_some()).count(), 2);
        assert!(document.undo().is_some() && document.undo().is_some());
        assert_eq!((frosts(&document), document.state().shared), ((vec![0.5, 0.5], 0.5), None));
        assert!(document.redo().is_some());
        assert_eq!(frosts(&document).0, [0.5, 9.0]);
        document.edit(Edit::Once, |state| {
            state.selected = 1;
            state.settings.glass.take_lens_glass(&state.lenses[1].glass.unwrap());
            state.share_glass();
        });
        assert_eq!((frosts(&document), document.state().shared), ((vec![9.0, 9.0], 9.0), None));
        assert!(document.undo().is_some() && frosts(&document).0 == [0.5, 9.0]);
    }

    #[test]
    fn what_lenses_share_is_no_glass_of_one() {
        let mut document = document();
        let mut written = document.settings().clone();
        written.glass.melt = 10.0;
        document.edit_fields(vec![("glass", "melt")], &mut written);
        assert!(document.state().shared.is_none() && document.settings().glass.melt == 10.0);
        frost(&mut document, 9.0);
        select(&mut document, 0);
        assert_eq!(document.settings().glass.melt, 10.0);
    }

    #[test]
    fn a_single_lens_has_the_glass_of_the_settings() {
        let mut document = document();
        document.edit(Edit::Once, |state| {
            state.lenses.truncate(1);
            state.selected = 0;
        });
        frost(&mut document, 9.0);
        assert_eq!((frosts(&document), document.state().shared), ((vec![9.0], 9.0), None));
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
        assert_eq!(kept.glasses.iter().map(|glass| glass.unwrap().frost).collect::<Vec<_>>(), [3.0, 3.0]);
        assert!(kept.lay("glass", "frost = -3.0".parse().unwrap()).is_err() && kept.settings.glass.frost == 3.0);
    }

    #[test]
    fn a_preset_of_several_lenses_is_as_loaded_whichever_is_selected() {
        let mut document = document();
        frost(&mut document, 9.0);
        let layout = document.layout(vec2(1000.0, 500.0));
        assert!(layout.is_some() && document.state().active_preset(1.0).is_none());
        document.adapt(|state| state.saved_as("two".into(), layout.clone(), 1.0));
        for index in [0, 1] {
            select(&mut document, index);
            assert_eq!(document.state().active_preset(1.0), Some(("two", true)), "{index}");
        }
        frost(&mut document, 10.0);
        assert_eq!(document.state().active_preset(1.0), Some(("two", false)));
    }

    #[test]
    fn stored_lenses_and_settings_are_the_same_document() {
        let (mut document, area) = (document(), vec2(1000.0, 500.0));
        frost(&mut document, 9.0);
        let (stored, layout) = (document.state().stored_settings(), document.layout(area).unwrap());
        assert_eq!(stored.glass.frost, 0.5);
        let text = crate::app::presets::text(&stored, Some(&layout)).unwrap();
        let mut table = crate::base::settings::parse_table(&text).unwrap();
        let back = Layout::take(&mut table).unwrap().unwrap();
        let lenses = back.lenses(&stored.glass, area, 1.0);
        assert_eq!(lenses.iter().map(|lens| lens.glass).collect::<Vec<_>>(), [None, document.state().lenses[1].glass]);
    }
}
