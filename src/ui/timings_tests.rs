//! What the table of costs holds, and that nothing in it runs into anything.

use super::*;
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

#[test]
fn a_pass_that_stops_keeps_its_figures_and_is_grey() {
    let mut timings = Timings::default();
    timings.push(&frame(&[("mip/a", Some(2.0)), ("mip/b", Some(3.0))]));
    timings.push(&frame(&[("glass/lens", None), ("mip/a", Some(4.0))]));
    let names: Vec<_> = timings.techniques.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["mip", "glass"]);
    let (mip, glass) = (&timings.techniques[0].1, &timings.techniques[1].1);
    assert_eq!(mip.ran[0].iter().collect::<Vec<_>>(), [5.0, 4.0]);
    assert_eq!(glass.ran[0].last(), None);
    assert_eq!((mip.lines[0].len(), glass.lines[0].len(), timings.frame.lines[0].len()), (2, 2, 2));
    let live = |timings: &Timings| [0, 1].map(|pass| timings.passes[pass].1.is_live());
    assert_eq!(live(&timings), [true, true], "it may come back");
    (2..=RECENT).for_each(|_| timings.push(&frame(&[("mip/a", Some(4.0))])));
    assert_eq!(live(&timings), [true, false]);
    timings.clear();
    assert_eq!((timings.techniques.len(), timings.frame.lines[0].len()), (2, 0));
}

#[test]
fn shares_are_parts_of_all_time_and_rows_stand_in_the_frame_s_order() {
    let mut timings = Timings::default();
    timings.push(&frame(&[("glass/face", Some(2.0))]));
    timings.push(&frame(&[("mip/a", Some(4.0)), ("glass/face", Some(2.0))]));
    let context = egui::Context::default();
    timings.look(&context);
    let names: Vec<_> = in_order(&timings.techniques).into_iter().map(|(_, (name, _))| name.as_str()).collect();
    assert_eq!(names, ["mip", "glass"]);
    let colours: Vec<_> = in_order(&timings.techniques).into_iter().map(|(colour, _)| colour).collect();
    assert_eq!(colours, [1, 0], "colours stay");
    // Two frames of 10 us: 4 us of one, 2 of both.
    assert_eq!(timings.cost_of("mip"), Some((4.0, 0.2)));
    assert_eq!(timings.cost_of("glass"), Some((2.0, 0.2)));
    assert_eq!(timings.rest.lines[0].iter().collect::<Vec<_>>(), [8.0, 4.0]);
    assert_eq!(timings.rest.lines[1].iter().collect::<Vec<_>>(), [4.0, 3.0]);
    assert!((timings.rest.shares[0] - 0.6).abs() < 1e-9);
    (0..RECENT).for_each(|_| timings.push(&frame(&[("glass/face", Some(2.0))])));
    assert_eq!(timings.cost_of("mip"), None, "it did not run");
}

#[test]
fn rows_stand_still_while_each_frame_runs_another_part() {
    let mut timings = Timings::default();
    let order = |timings: &Timings| -> Vec<String> {
        in_order(&timings.techniques).into_iter().map(|(_, (name, _))| name.clone()).collect()
    };
    let [ids, light, join, lens] =
        ["meshlets/ids", "shade/list", "antialias/join", "glass/lens"].map(|name| (name, Some(1.0)));
    timings.push(&frame(&[ids, light, join, lens]));
    let stands = order(&timings);
    assert_eq!(stands, ["meshlets", "shade", "antialias", "glass"]);
    for part in [[ids, join, lens], [join, light, lens], [join, ids, lens], [light, join, lens]] {
        timings.push(&frame(&part));
        assert_eq!(order(&timings), stands);
        assert!(timings.techniques.iter().all(|(_, cost)| cost.is_live()));
    }
    // What comes in another order from now on does move.
    timings.push(&frame(&[join, ids, light, lens]));
    assert_eq!(order(&timings), ["antialias", "meshlets", "shade", "glass"]);
}

/// All texts that are drawn, with the places of their ink.
fn texts_of(shape: &egui::Shape, found: &mut Vec<(String, Rect)>) {
    match shape {
        egui::Shape::Text(text) => found.push((text.galley.text().to_owned(), text.visual_bounding_rect())),
        egui::Shape::Vec(shapes) => shapes.iter().for_each(|shape| texts_of(shape, found)),
        _ => {}
    }
}

#[test]
fn nothing_runs_into_anything_at_any_width_scale_or_time() {
    for (scale, width) in [1.0, 1.5, 2.0].into_iter().flat_map(|scale| [150.0, 172.0, 230.0, 288.0].map(|w| (scale, w)))
    {
        let mut timings = Timings::default();
        let names = ["ui", "mip_chain/level 1", "glass/lens", "a_technique_with_a_very_long_name/a_pass"];
        for us in [0.0, 0.05, 0.999, 12.34, 999.6, 141_230.0, 341_412.0, 3_034_141.0, 2.9e8] {
            timings.push(&frame(&names.map(|name| (name, Some(us)))));
        }
        timings.push(&frame(&[("ui", None)]));
        timings.open.extend(["glass".to_owned(), "mip_chain".to_owned()]);
        let builder = egui_kittest::Harness::builder().with_size([400.0, 400.0]).with_pixels_per_point(scale);
        let mut harness = builder.build_ui(|ui| {
            theme::install(ui.ctx());
            timings.look(ui.ctx());
            ui.set_width(width);
            timings.show(ui, &QueueNote::default(), &|_| None);
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

#[test]
fn figures_as_text() {
    let figures = Figures { last: None, median: Some(1.0), p95: Some(123_456.7) };
    assert_eq!(texts(figures), ["—", "1.00 µs", "123 ms"]);
}
