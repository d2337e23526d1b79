//! Tests of the table of costs: its figures, its order, and that nothing overlaps.

use super::super::limits::{ClockState, LimitsState, ProbeState};
use super::super::theme;
use super::cost::part_of;
use super::history::{GRAPH_S, by_place, in_order};
use super::*;
use crate::base::timing::{FrameTiming, PassTiming};
use egui::Rect;

fn frame(passes: &[(&str, Option<f64>)]) -> FrameTiming {
    let pass = |(name, gpu_us): &(&str, Option<f64>)| PassTiming {
        name: (*name).into(),
        gpu_us: *gpu_us,
        cpu_us: 1.0,
        ..Default::default()
    };
    let passes: Vec<_> = passes.iter().map(pass).collect();
    FrameTiming { frame: 0, gpu_us: Some(10.0), cpu_us: 5.0, passes, ..Default::default() }
}

fn update(timings: &mut Timings) {
    timings.updates.figures = None;
    timings.update(&egui::Context::default());
}

const OWNERS: Owners<'static> = Owners(crate::techniques::INFOS);

fn places(timings: &Timings) -> Vec<&str> {
    in_order(&timings.techniques, &OWNERS).into_iter().map(|(name, _)| name.as_str()).collect()
}

/// A picture drawn over four frames: a technique's cost is a fraction of the frame's time, and all fractions add up to the whole.
#[test]
fn costs_are_per_displayed_frame() {
    let mut timings = Timings::default();
    let lens = ("glass/lens", Some(2.0));
    for number in 0..40_u32 {
        let passes = if number % 4 == 1 { vec![("meshlets/ids", Some(6.0)), lens] } else { vec![lens] };
        timings.push(&frame(&passes), f64::from(number) * 0.025);
    }
    update(&mut timings);
    let ids = timings.cost_of("meshlets").unwrap();
    assert_eq!((ids.us, ids.share, ids.in_frames.as_deref()), (1.5, 0.15, Some("1 of 4")));
    let glass = timings.cost_of("glass").unwrap();
    assert_eq!((glass.us, glass.share, glass.in_frames), (2.0, 0.2, None));
    let figures = timings.techniques.iter().find(|(name, _)| name == "meshlets").unwrap().1.shown[0];
    assert_eq!((figures.last, figures.longest), (Some(6.0), Some(6.0)));
    let parts = ids.us + glass.us + timings.rest.shown[0].mean.unwrap();
    assert!((parts - timings.frame_gpu_us().unwrap()).abs() < 1e-9, "parts make the whole");
    assert!((ids.share + glass.share + timings.rest.shown[0].share - 1.0).abs() < 1e-9);
}

/// Beside A there is B: its passes are one row, and have no part in the rest.
#[test]
fn b_is_a_row_of_a_frame_of_both() {
    let mut timings = Timings::default();
    let passes = [("glass/lens", Some(2.0)), ("B glass/lens", Some(3.0)), ("A and B ab/compose", Some(1.0))];
    let (own, whole) = (frame(&passes[..1]), frame(&passes));
    (0..40_u32).for_each(|number| timings.push_part(&own, &whole, f64::from(number) * 0.025));
    update(&mut timings);
    let us = |group| timings.cost_of(group).unwrap().us;
    assert_eq!([us("glass"), us("B"), us("A and B")], [2.0, 3.0, 1.0]);
    assert_eq!(timings.passes.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["glass/lens"]);
    let rest = timings.rest.shown[0].mean.unwrap();
    assert!((rest + 6.0 - timings.frame_gpu_us().unwrap()).abs() < 1e-9, "{rest}");
}

/// After the frame rate changes from 80 to less than one a second, figures are those of the last second, not of the last frames.
#[test]
fn figures_are_of_the_last_second_with_frames() {
    let mut timings = Timings::default();
    let timed = |us| FrameTiming { gpu_us: Some(us), ..frame(&[("glass/lens", Some(us))]) };
    (0..240_u32).for_each(|number| timings.push(&timed(10.0), f64::from(number) * 0.0125));
    for at_s in [4.15, 5.3] {
        timings.push(&timed(1000.0), at_s);
    }
    update(&mut timings);
    assert_eq!(timings.frame_gpu_us(), Some(1000.0));
    assert_eq!((timings.cost_of("glass").unwrap().us, timings.frame.frames), (1000.0, [1, 1]));
    // The history is bounded by time.
    timings.push(&timed(10.0), 60.0);
    assert_eq!((timings.at_s.len(), timings.frame.us[0].len(), timings.passes[0].1.us[1].len()), (1, 1, 1));
}

/// And with the figures, four times a second. In between nothing in it changes, so that it is not painted again.
#[test]
fn the_graph_changes_ten_times_a_second() {
    let (ctx, mut timings, mut changes) = (egui::Context::default(), Timings::default(), 0);
    let mut last = None;
    for number in 0..1000_u32 {
        let at_s = f64::from(number) * 0.01;
        timings.push(&frame(&[("glass/lens", Some(1.0))]), at_s);
        let input = egui::RawInput { time: Some(at_s), ..Default::default() };
        let mut output = ctx.run_ui(input, |ui| timings.update(ui.ctx()));
        output.textures_delta.clear();
        let shown = timings.graphed();
        let (first_s, last_s) = (timings.at_s[shown.start], timings.at_s[shown.end - 1]);
        assert!(at_s - last_s < 0.11, "{at_s}: ends at {last_s}");
        assert!(last_s - first_s > last_s.min(GRAPH_S) - 0.02, "{at_s}: from {first_s} to {last_s}");
        changes += u32::from(last.replace((first_s, last_s)) != Some((first_s, last_s)));
    }
    assert!((90..=140).contains(&changes), "{changes}");
}

/// What a measurement records beside a technique's work is no part of its cost.
#[test]
fn passes_that_measure_are_a_group_of_their_own() {
    let mut timings = Timings::default();
    let passes = ["pixel_sort/sort", "pixel_sort/measure raster", "mip_chain/error", "summed_area/replayed/sums"];
    timings.push(&frame(&passes.map(|pass| (pass, Some(2.0)))), 0.0);
    update(&mut timings);
    assert_eq!(places(&timings), ["pixel_sort", "measurements"]);
    assert_eq!(timings.cost_of("pixel_sort").unwrap().us, 2.0);
    assert_eq!(timings.cost_of("measurements").unwrap().us, 6.0);
    assert_eq!(timings.step_us("summed_area/replayed"), Some(2.0), "with its parts");
    assert_eq!(timings.step_us("pixel_sort/sor"), None);
}

#[test]
fn frames_in_which_drivers_compile_do_not_count() {
    let mut timings = Timings::default();
    let compiles = FrameTiming { gpu_us: Some(9e6), compiles: true, ..frame(&[("glass/lens", Some(9e6))]) };
    timings.push(&compiles, 0.0);
    update(&mut timings);
    assert!(timings.is_compiling() && timings.frame_gpu_us().is_none() && timings.cost_of("glass").is_none());
    timings.push(&frame(&[("glass/lens", Some(4.0))]), 0.1);
    timings.push(&compiles, 0.2);
    timings.push(&frame(&[("glass/lens", Some(6.0))]), 0.3);
    update(&mut timings);
    assert!(!timings.is_compiling());
    assert_eq!((timings.frame_gpu_us(), timings.cost_of("glass").unwrap().us), (Some(10.0), 5.0));
    assert_eq!(timings.frame.shown[0].longest, Some(10.0));
}

/// A frame that does not count still has its row, so that no row appears under the pointer; the last time is known, unless drivers compiled.
#[test]
fn frames_that_do_not_count_have_rows() {
    let mut timings = Timings::default();
    timings.push(&frame(&[("glass/lens", Some(4.0))]), 0.0);
    timings
        .push(&FrameTiming { compiles: true, ..frame(&[("shade/list", Some(9e6)), ("glass/lens", Some(9e6))]) }, 0.1);
    timings.push_repeat(&frame(&[("meshlets/ids", Some(7.0)), ("shade/list", Some(3.0)), ("glass/lens", Some(5.0))]));
    timings.push(&FrameTiming { compiles: true, ..frame(&[("mip_chain/a", Some(9e6))]) }, 0.2);
    update(&mut timings);
    assert_eq!(places(&timings), ["meshlets", "shade", "mip_chain", "glass"]);
    let figures = |name: &str| timings.passes.iter().find(|(pass, _)| pass == name).unwrap().1.shown[0];
    let [ids, list, lens, chain] = ["meshlets/ids", "shade/list", "glass/lens", "mip_chain/a"].map(figures);
    assert_eq!([ids.last, list.last, lens.last, chain.last], [Some(7.0), Some(3.0), Some(5.0), None]);
    assert_eq!([ids.mean, list.mean, lens.mean, chain.mean], [None, None, Some(4.0), None]);
    assert_eq!(timings.frame.frames, [1, 1]);
    assert!(timings.passes.iter().all(|(_, cost)| cost.us[0].len() == timings.at_s.len()));
}

#[test]
fn a_pass_that_stops_is_grey_after_a_second() {
    let mut timings = Timings::default();
    timings.push(&frame(&[("mip_chain/a", Some(2.0)), ("mip_chain/b", Some(3.0))]), 0.0);
    for (at_s, lives) in [(0.5, true), (0.9, true), (1.5, false)] {
        timings.push(&frame(&[("mip_chain/a", Some(4.0)), ("glass/lens", None)]), at_s);
        update(&mut timings);
        let live: Vec<bool> = timings.passes.iter().map(|(_, cost)| cost.is_live()).collect();
        assert_eq!(live, [true, lives, true], "{at_s}");
    }
    let glass = timings.techniques[1].1.shown;
    assert_eq!((glass[0].mean, glass[1].mean), (None, Some(1.0)), "no timestamps");
    assert!(timings.techniques.iter().all(|(_, cost)| cost.us[0].len() == timings.at_s.len()));
}

/// Its passes ran last in different frames.
#[test]
fn a_grey_group_costs_what_its_passes_do() {
    let mut timings = Timings::default();
    timings.push(&frame(&[("mip_chain/a", Some(2.0)), ("mip_chain/b", Some(3.0))]), 0.0);
    timings.push(&frame(&[("mip_chain/a", Some(4.0))]), 0.1);
    timings.push(&frame(&[("glass/lens", Some(1.0))]), 2.0);
    update(&mut timings);
    let of = |group: &str| timings.techniques.iter().find(|(name, _)| name == group).unwrap().1.shown;
    assert_eq!(of("mip_chain").map(|figures| figures.last), [Some(7.0), Some(2.0)]);
    assert_eq!(of("glass")[0].last, Some(1.0));
}

#[test]
fn fractions_of_frames_are_small_ones() {
    for (frames, part) in [
        ([10, 40], Some([1, 4])),
        ([10, 41], Some([1, 4])),
        ([11, 41], Some([1, 4])),
        ([20, 30], Some([2, 3])),
        ([1, 60], Some([1, 60])),
        ([1, 2], Some([1, 2])),
        ([1, 3], Some([1, 3])),
        ([1, 6], Some([1, 6])),
        ([2, 6], Some([1, 3])),
        ([0, 7], None),
        ([7, 7], None),
    ] {
        assert_eq!(part_of(frames), part, "{frames:?}");
    }
}

/// Rows, order and colours do not depend on what ran first.
#[test]
fn order_and_colours_do_not_depend_on_what_ran_first() {
    let all =
        ["particles/step", "meshlets/ids", "shade/list", "mip_chain/reduce", "glass/lens", "ui", "renderer/picture"];
    let mut orders = Vec::new();
    for first in 0..all.len() {
        let mut timings = Timings::default();
        for number in 0..all.len() {
            let name = all[(first + number) % all.len()];
            timings.push(&frame(&[(name, Some(1.0))]), number as f64 * 0.01);
        }
        update(&mut timings);
        orders.push(places(&timings).into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    assert_eq!(orders[0], ["meshlets", "shade", "particles", "mip_chain", "renderer", "glass", "ui"]);
    assert!(orders.iter().all(|one| *one == orders[0]), "{orders:?}");
    let ids: Vec<&str> = crate::techniques::INFOS.iter().map(|info| info.id).chain(["renderer", "ui"]).collect();
    for (index, id) in ids.iter().enumerate() {
        let same = ids[..index].iter().find(|other| OWNERS.color(other) == OWNERS.color(id));
        assert_eq!(same, None, "{id}");
    }
}

#[test]
fn passes_keep_their_places_while_each_frame_runs_another_part() {
    let mut timings = Timings::default();
    let order = |timings: &Timings| -> Vec<String> {
        by_place(&timings.passes).into_iter().map(|(name, _)| name.clone()).collect()
    };
    let [ids, list, join, lens] =
        ["meshlets/ids", "meshlets/list", "antialias/join", "glass/lens"].map(|name| (name, Some(1.0)));
    let all = ["meshlets/ids", "meshlets/list", "antialias/join", "glass/lens"];
    timings.push(&frame(&[ids, list, join, lens]), 0.0);
    for (number, part) in [[ids, join, lens], [join, list, lens], [join, ids, lens]].into_iter().enumerate() {
        timings.push(&frame(&part), 0.1 + number as f64 * 0.1);
        update(&mut timings);
        assert_eq!(order(&timings), all);
        assert!(timings.techniques.iter().all(|(_, cost)| cost.is_live()));
    }
    let [first, between] = ["meshlets/shadow", "antialias/clear"].map(|name| (name, Some(1.0)));
    timings.push(&frame(&[first, ids, list, between, join, lens]), 0.5);
    assert_eq!(
        order(&timings),
        ["meshlets/shadow", "meshlets/ids", "meshlets/list", "antialias/clear", "antialias/join", "glass/lens"]
    );
}

/// All drawn texts, with the bounds of their ink.
fn texts_of(shape: &egui::Shape, orders: &mut Vec<(String, Rect)>) {
    match shape {
        egui::Shape::Text(text) => orders.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_of(shape, orders)),
        _ => {}
    }
}

#[test]
fn nothing_runs_into_anything_at_any_width_scale_or_time() {
    let details = Default::default();
    for (scale, width) in [1.0, 1.5, 2.0].into_iter().flat_map(|scale| [150.0, 172.0, 230.0, 288.0].map(|w| (scale, w)))
    {
        let mut timings = Timings::default();
        let names = ["ui", "mip_chain/level 1", "glass/lens", "a_technique_with_a_very_long_name/a_pass"];
        for us in [0.0, 0.05, 0.999, 12.34, 999.6, 141_230.0, 341_412.0, 3_034_141.0, 2.9e8] {
            timings.push(&frame(&names.map(|name| (name, Some(us)))), 0.0);
        }
        timings.push(&frame(&[("ui", None)]), 0.1);
        timings.open.extend(["glass".to_owned(), "mip_chain".to_owned()]);
        let builder = egui_kittest::Harness::builder().with_size([400.0, 400.0]).with_pixels_per_point(scale);
        let mut harness = builder.build_ui(|ui| {
            theme::install(ui.ctx());
            timings.update(ui.ctx());
            ui.set_width(width);
            let limits =
                LimitsState { passes: &[], probe: ProbeState::Unknown, clock: ClockState::Unknown, details: &details };
            timings.show(ui, &QueueNote::default(), &OWNERS, ("1280 x 720 px, picture: Dusk.", &limits));
        });
        harness.run_steps(8);
        let mut texts = Vec::new();
        harness.output().shapes.iter().for_each(|clipped| texts_of(&clipped.shape, &mut texts));
        texts.retain(|(_, rect)| rect.is_positive());
        let is_figure = |(text, _): &&(String, Rect)| text.trim() == "ms" || text.trim() == "s";
        assert!(texts.iter().filter(is_figure).count() >= 4, "{texts:?}");
        let right = texts.iter().map(|(_, rect)| rect.right()).fold(0.0, f32::max);
        assert!(right <= 8.0 + width + 1.0, "{right} of {width}");
        for (index, (text, rect)) in texts.iter().enumerate() {
            for (other, place) in &texts[index + 1..] {
                let apart = !rect.shrink(0.2).intersects(place.shrink(0.2));
                assert!(apart, "{text:?} {rect:?} over {other:?} {place:?} in {width} at {scale}");
            }
        }
    }
}
