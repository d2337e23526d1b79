//! Tests of the table of costs: its figures, its order, and that nothing overlaps.

use super::super::theme;
use super::cost::{Cost, part_of};
use super::history::{by_place, in_order};
use super::*;
use base::timing::{FrameTiming, PassTiming, PictureStep};
use instrument::FrameResults;

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

fn of_lens(us: f64) -> FrameTiming {
    frame(&[("glass/lens", Some(us))])
}

fn update(timings: &mut Timings) {
    timings.updated = None;
    timings.update(&egui::Context::default());
}

const OWNERS: Owners<'static> = Owners(techniques::INFOS);

fn places(timings: &Timings) -> Vec<&str> {
    in_order(&timings.techniques, &OWNERS).into_iter().map(|(name, _)| name.as_str()).collect()
}

/// A picture drawn over four frames: fractions of the frame's time add up to the whole.
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
    assert_eq!((ids.us, ids.share, ids.of), (1.5, 0.15, CostOf::LastSecond(Some("1 of 4".into()))));
    let glass = timings.cost_of("glass").unwrap();
    assert_eq!((glass.us, glass.share, glass.of), (2.0, 0.2, CostOf::LastSecond(None)));
    let figures = timings.techniques.iter().find(|(name, _)| name == "meshlets").unwrap().1.shown[0];
    assert_eq!((figures.last, figures.longest), (Some(6.0), Some(6.0)));
    let parts = ids.us + glass.us + timings.rest.shown[0].mean.unwrap();
    assert!((parts - timings.frame_gpu_us().unwrap()).abs() < 1e-9, "parts make the whole");
    assert!((ids.share + glass.share + timings.rest.shown[0].share - 1.0).abs() < 1e-9);
}

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
    let has_b = |timings: &mut Timings| {
        let rows = rows(timings);
        ["B:", "B in ", "A and B"].map(|begin| rows.iter().any(|row| row.starts_with(begin)))
    };
    assert_eq!(has_b(&mut timings), [true, false, true]);
    timings.push(&own, 1.2);
    update(&mut timings);
    assert_eq!(has_b(&mut timings), [false; 3], "it is closed");
}

/// After the frame rate changes from 80 to less than one a second, figures cover the last second, not the last frames.
#[test]
fn figures_are_of_the_last_second_with_frames() {
    let mut timings = Timings::default();
    let timed = |us| FrameTiming { gpu_us: Some(us), ..of_lens(us) };
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
    let compiles = FrameTiming { gpu_us: Some(9e6), compiles: true, ..of_lens(9e6) };
    timings.push(&compiles, 0.0);
    update(&mut timings);
    assert!(timings.is_compiling() && timings.frame_gpu_us().is_none() && timings.cost_of("glass").is_none());
    timings.push(&of_lens(4.0), 0.1);
    timings.push(&compiles, 0.2);
    timings.push(&of_lens(6.0), 0.3);
    update(&mut timings);
    assert!(!timings.is_compiling());
    assert_eq!((timings.frame_gpu_us(), timings.cost_of("glass").unwrap().us), (Some(10.0), 5.0));
    assert_eq!(timings.frame.shown[0].longest, Some(10.0));
}

/// Otherwise a row would appear under the pointer.
#[test]
fn frames_that_do_not_count_have_rows() {
    let mut timings = Timings::default();
    timings.push(&of_lens(4.0), 0.0);
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

/// Frame `number`, which is this step of a full frame.
fn step(number: u64, picture: Option<PictureStep>, passes: &[(&str, f64)]) -> FrameTiming {
    let passes: Vec<_> = passes.iter().map(|(name, us)| (*name, Some(*us))).collect();
    let gpu_us = Some(passes.iter().filter_map(|(_, us)| *us).sum());
    FrameTiming { frame: number, gpu_us, picture, ..frame(&passes) }
}

/// The same with a pass of a view.
fn with_view(mut timing: FrameTiming, name: &str, us: f64) -> FrameTiming {
    timing.passes.push(PassTiming { name: name.into(), gpu_us: Some(us), of_view: true, ..Default::default() });
    timing.gpu_us = timing.gpu_us.map(|all| all + us);
    timing
}

fn group<'a>(timings: &'a Timings, name: &str) -> &'a Cost {
    &timings.techniques.iter().find(|(group, _)| group == name).unwrap().1
}

fn rows(timings: &mut Timings) -> Vec<String> {
    let mut harness = egui_kittest::Harness::builder().with_size([900.0, 700.0]).build_ui(|ui| {
        theme::install(ui.ctx());
        timings.show(ui, &OWNERS, ("1280 x 720 px.", &FrameResults::of_passes(&[])));
    });
    harness.run_steps(2);
    use egui_kittest::kittest::{NodeT as _, Queryable as _};
    let buttons = harness.get_all_by_role(egui::accesskit::Role::Button);
    buttons.filter_map(|node| node.accesskit_node().label()).collect()
}

/// Its passes ran last in different frames: a sum of those would be of a frame that never was.
#[test]
fn a_group_at_rest_costs_what_it_did_in_one_frame() {
    let (a, b, lens) = (("mip_chain/a", 2.0), ("mip_chain/b", 3.0), ("glass/lens", 1.0));
    let mut timings = Timings::default();
    timings.push(&step(0, None, &[a, b]), 0.0);
    timings.push(&step(1, None, &[("mip_chain/a", 4.0)]), 0.1);
    timings.push(&step(2, None, &[lens]), 2.0);
    update(&mut timings);
    let chain = group(&timings, "mip_chain");
    assert_eq!((chain.shown[0].last, chain.frames_of_parts), (Some(4.0), 2));
    assert_eq!(group(&timings, "glass").frames_of_parts, 1);
    let row = |rows: &[String], name: &str| rows.iter().find(|row| row.starts_with(name)).unwrap().clone();
    let said = rows(&mut timings);
    assert!(row(&said, "Mip chain").contains("of 2 frames: 4.00"), "{said:?}");
    assert!(!row(&said, "Liquid glass").contains("of 2 frames"), "{said:?}");
    // A full frame has the group's parts in one frame, whatever ran alone since.
    timings.push(&step(3, Some(PictureStep::Whole), &[a, b, lens]), 2.5);
    timings.push(&step(4, None, &[("mip_chain/a", 9.0), lens]), 2.6);
    timings.push(&step(5, None, &[lens]), 5.0);
    update(&mut timings);
    let chain = group(&timings, "mip_chain");
    assert_eq!((chain.shown[0].full, chain.frames_of_parts), (Some(5.0), 1));
    assert_eq!(timings.step_us("mip_chain"), Some(5.0));
    let parts: f64 = timings.passes.iter().filter_map(|(_, cost)| cost.full[0]).sum();
    assert_eq!(timings.full_frame(), Some(FullFrame { us: parts, frames: 1 }), "the parts make the whole");
    assert!(!row(&rows(&mut timings), "Mip chain").contains("of 2 frames"));
}

/// Figures of one column are of the same frames, and add up.
#[test]
fn at_rest_the_table_is_of_the_last_full_frame() {
    use PictureStep::{First, Last};
    let (lens, list) = (("glass/lens", 20.0), ("shade/list", 540.0));
    let mut timings = Timings::default();
    timings.push(&step(0, Some(First), &[("meshlets/ids", 220.0), lens]), 0.0);
    timings.push(&step(1, Some(Last), &[list, lens]), 0.5);
    timings.push(&step(2, None, &[lens]), 4.0);
    update(&mut timings);
    let columns = |name: &str| group(&timings, name).shown[0].columns();
    assert_eq!(columns("shade"), [Some(540.0), None, None, Some(540.0 / 800.0)]);
    assert_eq!(columns("glass"), [Some(40.0), Some(20.0), Some(20.0), Some(0.05)]);
    assert_eq!((timings.frame.shown[0].columns()[0], timings.frame.frames_of_parts), (Some(800.0), 2));
    let sum: f64 = ["meshlets", "shade", "glass"].iter().filter_map(|name| columns(name)[3]).sum();
    assert!((sum - 1.0).abs() < 1e-9);
    // Sorted by a column.
    timings.sorted_by = Some(0);
    let said = rows(&mut timings);
    let places = ["Shading", "Meshlet", "Liquid glass"].map(|name| said.iter().position(|row| row.starts_with(name)));
    assert!(places.is_sorted(), "{said:?}");
    // The driver compiled in the last full frame: each row is of its own frame, which the sum says.
    timings.push(&FrameTiming { compiles: true, ..step(3, Some(PictureStep::Whole), &[list, lens]) }, 5.0);
    timings.push(&step(4, None, &[lens]), 9.0);
    update(&mut timings);
    let frame = (timings.frame.shown[0].columns()[0], timings.frame.frames_of_parts);
    assert_eq!((timings.full_frame(), frame), (None, (Some(780.0), 3)));
}

#[test]
fn a_closed_view_leaves_all_sums() {
    let (ids, list, lens) = (("meshlets/ids", 220.0), ("shade/list", 540.0), ("glass/lens", 20.0));
    let whole = Some(PictureStep::Whole);
    for placed_after in [0.1, 30.0] {
        let mut timings = Timings::default();
        let viewed = with_view(step(0, whole, &[ids, list, lens]), "meshlets/view", 749.0);
        timings.push(&viewed, 0.0);
        timings.push(&with_view(step(1, None, &[lens]), "meshlets/view", 749.0), 0.05);
        update(&mut timings);
        assert_eq!(group(&timings, "meshlets").shown[0].mean, Some(110.0), "of two frames");
        assert_eq!(group(&timings, "view").shown[0].mean, Some(749.0));
        assert_eq!(timings.full_frame(), Some(FullFrame { us: 780.0, frames: 1 }), "without the view");
        timings.push(&step(2, None, &[lens]), placed_after);
        update(&mut timings);
        assert_eq!(timings.frame_gpu_us(), Some(20.0), "its frames are no part of the last second");
        let costs = ["meshlets", "shade", "glass"].map(|of| timings.cost_of(of).unwrap());
        assert_eq!(costs.each_ref().map(|cost| cost.us), [220.0, 540.0, 20.0]);
        assert!((costs.iter().map(|cost| cost.share).sum::<f64>() - 1.0).abs() < 1e-9, "shares of one frame");
        assert_eq!(timings.step_us("meshlets"), Some(220.0));
        let rows = rows(&mut timings);
        assert!(!rows.iter().any(|row| row.starts_with("View")), "{rows:?}");
        assert!(rows.iter().any(|row| row.starts_with("Meshlet")), "{rows:?}");
    }
}

#[test]
fn a_pass_for_the_picture_and_for_a_view_is_two() {
    let mut timings = Timings::default();
    let chain = ("mip_chain/level 1", 5.0);
    timings.push(&with_view(step(0, None, &[chain]), chain.0, 70.0), 0.0);
    update(&mut timings);
    let us = ["mip_chain", "view"].map(|of| group(&timings, of).shown[0].mean);
    assert_eq!((us, timings.run_us(chain.0)), ([Some(5.0), Some(70.0)], Some(5.0)));
}

#[test]
fn the_last_full_frame_is_stable_until_the_next() {
    let (list, lens, ui) = (("shade/list", 80.0), ("glass/lens", 15.0), ("ui", 5.0));
    let mut timings = Timings::default();
    timings.push(&step(0, Some(PictureStep::Whole), &[list, lens, ui]), 0.0);
    let cost = |timings: &Timings, of| timings.cost_of(of).map(|cost| TechniqueCost { is_now: true, ..cost });
    let known = |timings: &Timings| (timings.full_frame(), cost(timings, "glass"), cost(timings, "shade"));
    update(&mut timings);
    let first = known(&timings);
    assert_eq!(first.0, Some(FullFrame { us: 100.0, frames: 1 }));
    let glass = first.1.clone().unwrap();
    assert_eq!((glass.us, glass.share, &glass.of), (15.0, 0.15, &CostOf::FullFrame(1)));
    for (number, at_s) in [(1, 0.1), (2, 0.9), (3, 40.0)] {
        timings.push(&step(number, None, &[("glass/lens", 17.0), ui]), at_s);
        timings.push_repeat(&step(number, Some(PictureStep::Whole), &[("shade/list", 99.0), lens]));
        update(&mut timings);
        assert_eq!(known(&timings), first, "{at_s}");
    }
    // Another source: a flat picture.
    timings.push(&step(4, Some(PictureStep::Whole), &[lens, ui]), 50.0);
    update(&mut timings);
    assert_eq!((timings.full_frame().unwrap().us, timings.cost_of("shade")), (20.0, None));
    // The driver compiles in the next one: its time without that is not known.
    timings.push(&FrameTiming { compiles: true, ..step(5, Some(PictureStep::Whole), &[list, lens, ui]) }, 51.0);
    update(&mut timings);
    assert_eq!(timings.full_frame(), None);
}

#[test]
fn a_picture_drawn_in_steps_is_one_full_frame() {
    use PictureStep::{First, Last, Next};
    let lens = ("glass/lens", 10.0);
    let steps = [(First, "meshlets/ids", 30.0), (Next, "shade/list", 50.0), (Last, "antialias/join", 20.0)];
    let mut timings = Timings::default();
    let mut draw = |dropped: bool, compiles: bool| {
        let all = steps[..1].iter().filter(|_| dropped).chain(&steps);
        for (index, (part, name, us)) in all.enumerate() {
            let timing = step(index as u64, Some(*part), &[(name, *us), lens]);
            timings.push(&FrameTiming { compiles: compiles && *part == Next, ..timing }, index as f64);
            // A frame between two steps, which shows the last picture.
            timings.push(&step(index as u64, None, &[lens]), index as f64);
        }
        update(&mut timings);
        (timings.full_frame(), timings.cost_of("shade").map(|cost| cost.us), timings.cost_of("glass"))
    };
    let sum = FullFrame { us: 130.0, frames: 3 };
    let (full, shade, glass) = draw(false, false);
    assert_eq!((full, shade), (Some(sum), Some(50.0)));
    let glass = glass.unwrap();
    assert_eq!((glass.us, glass.of), (30.0, CostOf::FullFrame(3)));
    assert_eq!(draw(true, false).0, Some(sum), "what was begun and dropped does not count");
    assert_eq!(draw(false, true).0, None);
}

#[test]
fn fractions_of_frames_are_small_ones() {
    for (frames, part) in [
        ([10, 40], Some([1, 4])),
        ([11, 41], Some([1, 4])),
        ([20, 30], Some([2, 3])),
        ([1, 60], Some([1, 60])),
        ([2, 6], Some([1, 3])),
        ([0, 7], None),
        ([7, 7], None),
    ] {
        assert_eq!(part_of(frames), part, "{frames:?}");
    }
}

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
    let ids: Vec<&str> = techniques::INFOS.iter().map(|info| info.id).chain(["renderer", "ui"]).collect();
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
