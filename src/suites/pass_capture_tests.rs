//! Tests of the capture of passes on whole frames.

use ab::test_stage::Stage;
use gpu::{CapturePoint, PassCapture, PassResource, ResourceShape, test_gpu};
use std::collections::BTreeSet;
use technique::{FrameRead, Output};
use techniques::INFOS;

fn all_points(capture: &PassCapture) -> Vec<CapturePoint> {
    let mut points: Vec<CapturePoint> = Vec::new();
    for pass in capture.passes() {
        for PassResource { binding, shape, .. } in &pass.resources {
            let mips = match shape {
                ResourceShape::Image { mips, .. } => vec![Some(mips.start), Some(mips.end - 1)],
                ResourceShape::Buffer { .. } => vec![None],
            };
            for (mip, is_before) in mips.into_iter().flat_map(|mip| [(mip, false), (mip, true)]) {
                let point = CapturePoint { mip, is_before, ..CapturePoint::new(&pass.pass, binding) };
                if !points.contains(&point) {
                    points.push(point);
                }
            }
        }
    }
    points
}

#[test]
fn a_capture_of_nothing_records_nothing() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &[]);
    for _ in 0..2 {
        stage.frame(None, |_, _, _| ());
    }
    let ((), _, plain) = stage.frame(None, |_, _, _| ());
    let ((), capture, captured) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    assert!(plain.len() > 10);
    assert_eq!(plain, captured);
    assert_eq!(capture.passes().iter().map(|pass| pass.pass.clone()).collect::<Vec<_>>(), captured);
}

/// Where a pass is the last to write what a technique names as its output, both have the same bytes.
#[test]
fn every_resource_of_a_frame_is_captured_as_it_is() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &[]);
    let outputs: Vec<(&str, &str)> =
        INFOS.iter().flat_map(|info| info.outputs.iter().map(|output| (info.id, output.name))).collect();
    stage.renderer.prepare_outputs(&outputs);
    for _ in 0..2 {
        stage.frame(None, |_, _, _| ());
    }
    let ((), listed, _) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    let points = all_points(&listed);
    assert!(points.len() > 200, "{} points", points.len());
    let mut capture = listed;
    capture.set_points(&points);
    let (pairs, capture, _) = stage.frame(Some(capture), |frame, renderer, capture| {
        let outputs: Vec<_> = outputs
            .iter()
            .filter_map(|(id, name)| match renderer.last_frame().and_then(|(all, of)| all.output(id, name, of))? {
                Output::Image { view, .. } => Some((format!("{id}/{name}"), view)),
                _ => None,
            })
            .collect();
        let mut pairs: Vec<(String, FrameRead, FrameRead)> = Vec::new();
        for (output, view) in outputs {
            let writes = |resource: &&PassResource| resource.is_written && resource.name == view.image().name();
            let last = capture.passes().iter().rev().find_map(|pass| {
                let resource = pass.resources.iter().find(writes)?;
                Some((&pass.pass, &resource.binding))
            });
            let Some((pass, binding)) = last else { continue };
            let point = CapturePoint { mip: Some(view.level()), ..CapturePoint::new(pass, binding) };
            let Some(captured) = capture.get(&point) else { continue };
            let whole = Output::from(&view);
            pairs.push((output, whole.read(frame).unwrap(), FrameRead::of(frame, captured).unwrap()));
        }
        pairs
    });
    for point in &points {
        let captured = capture.get(point);
        let why = if captured.is_some() { String::new() } else { capture.why_not(point) };
        let is_excused = captured.is_some() || point.is_before && why.starts_with("nothing was written");
        assert!(is_excused, "{point:?}: {why}");
    }
    let compared: BTreeSet<&str> = pairs.iter().map(|(output, ..)| output.as_str()).collect();
    assert!(compared.len() >= 4, "{compared:?}");
    for (output, saved, captured) in &pairs {
        assert_eq!(saved.array().unwrap(), captured.array().unwrap(), "{output}");
    }
}

#[test]
fn a_wrong_name_says_the_nearest() {
    let gpu = test_gpu();
    let mut stage = Stage::new(&gpu, &["scene.source=picture"]);
    let ((), capture, _) = stage.frame(Some(PassCapture::default()), |_, _, _| ());
    let why =
        |pass: &str, binding: &str, mip| capture.why_not(&CapturePoint { mip, ..CapturePoint::new(pass, binding) });
    let pass = capture.passes().iter().find(|pass| pass.pass == "glass/lens").unwrap();
    let image = pass.resources.iter().find(|of| matches!(of.shape, ResourceShape::Image { .. })).unwrap();
    let buffer = pass.resources.iter().find(|of| matches!(of.shape, ResourceShape::Buffer { .. })).unwrap();
    assert_eq!(
        why("glass/lense", "glass", None),
        "the frame has no pass \"glass/lense\"; did you mean \"glass/lens\"?"
    );
    assert!(why("glass/lens", "glas", None).contains("did you mean \"glass\"?"));
    assert!(why("glass/lens", &image.binding, Some(40)).contains("has the mip levels 0 to"));
    assert!(why("glass/lens", &buffer.binding, Some(1)).contains("is a buffer, which has no mip levels"));
}
