//! Pixel whose story the inspector shows.

use super::input::PixelStory;
use crate::instruments::DrawnFrame;
use crate::timings::Timings;
use instrument::{FrameResults, StoryRequest};
use renderer::{ActiveView, FrameParams};
use scene::{Lens, motif::UseFrame};
use std::collections::BTreeMap;
use techniques::Settings;

/// A frame's times follow it; those of a frame in which a driver compiled never do.
const LOOKS: u8 = 30;

#[derive(Default)]
pub struct InspectedPixel {
    asked: Option<StoryRequest>,
    /// Of the last request.
    number: u64,
    /// The present frame announces the story, which takes seconds on software drivers.
    is_announced: bool,
    story: Option<PixelStory>,
    /// Number and content of the frame that the story is of.
    told: Option<(u64, FrameContent)>,
    /// Times that the panels still look for the times of its passes.
    looks_left: u8,
}

/// What decides the pixels but for their samples.
#[derive(PartialEq)]
struct FrameContent {
    settings: Settings,
    lenses: Vec<Lens>,
    view: Option<ActiveView>,
    drifted_s: f32,
    used: Option<UseFrame>,
}

impl FrameContent {
    fn of(params: &FrameParams<'_>) -> Self {
        Self {
            settings: params.settings.clone(),
            lenses: params.lenses.to_vec(),
            view: params.view,
            drifted_s: params.drifted_s,
            used: params.used.cloned(),
        }
    }
}

impl InspectedPixel {
    pub fn ask(&mut self, pixel: Option<[u32; 2]>) {
        (self.number, self.is_announced) = (self.number + 1, false);
        self.asked = pixel.map(|pixel| StoryRequest { pixel, number: self.number });
        if pixel.is_none() {
            (self.story, self.told) = (None, None);
        }
    }

    pub fn request(&self) -> Option<StoryRequest> {
        self.asked.filter(|_| self.is_announced)
    }

    pub fn awaited(&self) -> Option<[u32; 2]> {
        self.asked.filter(|asked| self.number() != Some(asked.number)).map(|asked| asked.pixel)
    }

    /// Of the last answer.
    pub fn number(&self) -> Option<u64> {
        self.told.as_ref().map(|(number, _)| *number)
    }

    pub fn story(&self) -> Option<&PixelStory> {
        self.story.as_ref()
    }

    /// Whether the panels change.
    pub fn receive(&mut self, results: &FrameResults<'_>, frame: &DrawnFrame<'_>) -> bool {
        self.is_announced = true;
        let awaited = self.asked.filter(|_| self.awaited().is_some());
        let is_awaited = |number| awaited.is_some_and(|asked| asked.number == number);
        if let Some(told) = results.stories.iter().find(|told| is_awaited(told.number)) {
            let (steps, numbers) = (told.steps.clone(), told.numbers.clone());
            let (pixel, costs) = (told.pixel, BTreeMap::new());
            let story = PixelStory { pixel, frame: told.frame, steps, costs, numbers, is_outdated: false };
            self.story = Some(story);
            self.looks_left = LOOKS;
            self.told = Some((told.number, FrameContent::of(frame.params)));
        }
        self.follow(frame.params) || self.awaited().is_some()
    }

    /// Takes the times of the story's passes; whether they are still missing.
    pub fn follow_costs(&mut self, timings: &Timings) -> bool {
        let Some(story) = self.story.as_mut().filter(|story| story.costs.is_empty()) else { return false };
        let us = |pass: &str| Some((pass.to_owned(), timings.us_in(story.frame, pass)?));
        story.costs = story.passes().into_iter().filter_map(us).collect();
        let looks = story.costs.is_empty() && self.looks_left > 0;
        self.looks_left = self.looks_left.saturating_sub(1);
        looks
    }

    fn follow(&mut self, params: &FrameParams<'_>) -> bool {
        let told = self.story.as_mut().zip(self.told.as_ref());
        let Some((story, (_, content))) = told.filter(|(story, _)| !story.is_outdated) else { return false };
        story.is_outdated = *content != FrameContent::of(params);
        story.is_outdated
    }

    #[cfg(test)]
    pub fn show_sample(&mut self, story: Option<PixelStory>, awaited: Option<[u32; 2]>) {
        self.story = story;
        self.asked = awaited.map(|pixel| StoryRequest { pixel, number: u64::MAX });
    }
}
