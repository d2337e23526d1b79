//! Frames that use every pipeline that settings and views can reach, each with one setting changed.

use crate::session::{Session, lenses};
use anyhow::{Context as _, Result};
use base::settings::{Field, FieldKind};
use gpu::{Format, Frames, Gpu, Image, ImageDesc, Use, is_making_ahead};
use reflections::{AutoRays, RaysReason};
use renderer::{
    ActiveView, Background, FrameParams, FramePlan, LoadMode, PlanInput, Renderer, ViewPlacement, WindowPace,
    WorldLoader,
};
use scene::Source;
use std::sync::Arc;
use std::time::Duration;
use techniques::{INFOS, Settings, Techniques};

/// Pipelines do not depend on it.
pub const SIZE_PX: [u32; 2] = [320, 180];
/// Some passes begin with the second frame.
const FRAMES: u32 = 2;
const WITHOUT_PIPELINES: [&str; 2] = ["hand", "display"];
const VALUES_MOST: u32 = 12;

#[derive(Clone)]
struct Stop {
    name: String,
    settings: Settings,
    view: Option<ActiveView>,
}

pub fn record(gpu: &Arc<Gpu>, session: &Session, size: [u32; 2]) -> Result<Vec<String>> {
    let mut frames = Frames::new(gpu, 2);
    let background = Background::new(session.pictures.below.clone(), LoadMode::Block);
    let mut renderer = Renderer::new(gpu, background, WorldLoader::new(session.world.clone(), LoadMode::Block))?;
    let desc = ImageDesc::new("shaders target", size, Format::Rgba8, &[Use::Color, Use::Storage]);
    let target = Image::new(gpu, desc.aliases(&[Format::R32U]))?;
    let mut left_out = Vec::new();
    for stop in stops(&session.settings) {
        if let Some(why) = Techniques::unsupported(&stop.settings, gpu) {
            left_out.push(why);
            continue;
        }
        visit(&mut frames, &mut renderer, session, &stop, &target).with_context(|| stop.name.clone())?;
    }
    frames.wait()?;
    left_out.sort_unstable();
    left_out.dedup();
    Ok(left_out)
}

fn visit(frames: &mut Frames, renderer: &mut Renderer, session: &Session, stop: &Stop, target: &Image) -> Result<()> {
    let Stop { settings, view, .. } = stop;
    let area_px = target.mip(0).size().map(|side| side as f32).into();
    let lenses = lenses(&settings.glass, session.layout.as_ref(), session.lens_at, [area_px / 2.0, area_px]);
    let gpu = frames.gpu().clone();
    let picture = PlanInput { policy: gpu.policy(), measures_bounces: false, view: *view, saved: &[], window: None };
    let window = Some(WindowPace {
        scales: [1.0; 2],
        is_still: true,
        auto_rays: AutoRays { is_shared: true, why: RaysReason::Unmeasured },
    });
    for plan in [picture, PlanInput { window, ..picture }].map(|input| FramePlan::of(settings, &input)) {
        for number in 0..FRAMES {
            let mut frame = frames.begin()?;
            let moved = FrameParams::of(settings, &lenses);
            let params =
                FrameParams { view: *view, seconds: 1.0 / 60.0, drifted_s: number as f32 * 0.1, plan, ..moved };
            renderer.record(&mut frame, &params, &target.mip(0))?;
            frames.submit(frame)?;
            // Choices by measured time have settings that select each.
            while frames.take_timing().is_some() {}
        }
        while is_making_ahead() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    Ok(())
}

fn stops(first: &Settings) -> Vec<Stop> {
    let mut all = Vec::new();
    for source in [Source::Picture, Source::World] {
        let mut settings = first.clone();
        settings.scene.source = source;
        let stop = Stop { name: format!("scene.source={}", source.name()), settings, view: None };
        all.extend(changes(&stop, None));
        all.push(stop);
    }
    let world = all.last().map(|stop| stop.settings.clone()).unwrap_or_default();
    for info in INFOS {
        for view in info.views {
            let on = |settings: &Settings, place| Stop {
                name: format!("view {}/{}", info.id, view.name),
                settings: settings.clone(),
                view: Some(ActiveView { technique: info.id, view: *view, place }),
            };
            for place in [ViewPlacement::Lens, ViewPlacement::Split] {
                all.push(on(&world, place));
            }
            for settings in [first, &world] {
                let stop = on(settings, ViewPlacement::Full);
                all.extend(changes(&stop, Some(info.id)));
                all.push(stop);
            }
        }
    }
    all
}

fn changes(stop: &Stop, section: Option<&str>) -> Vec<Stop> {
    let mut settings = stop.settings.clone();
    let mut all = Vec::new();
    for part in settings.sections() {
        if WITHOUT_PIPELINES.contains(&part.id) || section.is_some_and(|id| id != part.id) {
            continue;
        }
        for (index, field) in part.settings.fields().iter().enumerate() {
            let before = part.settings.value(index);
            let is_source = part.id == "scene" && field.name == "source";
            for value in values(field).into_iter().filter(|value| *value != before && !is_source) {
                let assigned = toml::Table::from_iter([(field.name.to_owned(), value.clone())]);
                let mut changed = stop.settings.clone();
                if changed.lay(toml::Table::from_iter([(part.id.to_owned(), assigned.into())])).is_ok() {
                    let name = format!("{} {}.{}={value}", stop.name, part.id, field.name);
                    all.push(Stop { name, settings: changed, view: stop.view });
                }
            }
        }
    }
    all
}

fn values(field: &Field) -> Vec<toml::Value> {
    match field.kind {
        FieldKind::Bool => vec![false.into(), true.into()],
        FieldKind::Choice(choices) => choices.iter().map(|choice| choice.name.into()).collect(),
        FieldKind::Int { min, max, powers: false, .. } if max - min < VALUES_MOST => {
            (min..=max).map(|value| i64::from(value).into()).collect()
        }
        FieldKind::Int { min, max, powers: true, .. } => {
            let powers = (0..u32::BITS).map(|bit| 1 << bit).filter(|value| (min..=max).contains(value));
            powers.map(|value: u32| i64::from(value).into()).take(VALUES_MOST as usize).collect()
        }
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_changes_one_setting() {
        let first = Settings::default();
        for stop in stops(&first).iter().filter(|stop| stop.name.contains("reflections.depth=")) {
            assert_ne!(stop.settings.reflections.depth, first.reflections.depth, "{}", stop.name);
            assert_eq!((&stop.settings.glass, &stop.settings.shade), (&first.glass, &first.shade), "{}", stop.name);
        }
    }
}
