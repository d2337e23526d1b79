//! Passes of the views.

use super::{focus, methods::TableBuffers, scan_picture};
use crate::{
    settings::{Input, SummedAreaSettings},
    table::{Layout, Numbers, Planes, Precision, Source, Table},
    table_builder::TableBuilder,
};
use glam::UVec2;
use gpu::{Error, Frame, ImageView, Result, Sampler, gpu_struct};
use technique::FrameContext;

gpu_struct! {
    struct ViewPush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        true_plane: u32,
        channels: u32,
        radius: u32,
        percent: u32,
        scale: f32,
    }
}

gpu_struct! {
    struct GuidePush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        radius: u32,
        lines_pitch: u32,
        lines_plane: u32,
        epsilon: f32,
    }
}

const SECOND: TableBuffers = TableBuffers { table: "second table", means: "second means", ..TableBuffers::SHOWN };
const TRUTH: TableBuffers = TableBuffers { table: "truth", means: "no means", ..TableBuffers::SHOWN };

/// Encoded, as large as its subject. The picture of a scan keeps to the first `free_px` pixels.
pub fn draw(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    name: &str,
    settings: &SummedAreaSettings,
    context: &FrameContext,
    picture: &ImageView,
    free_px: UVec2,
) -> Result<()> {
    match name {
        "scan" => scan_picture::draw(&mut tables.scratch, frame, settings, &context.picture, picture, free_px),
        "mean" | "error" | "deviation" | "threshold" => view_boxes(tables, frame, name, settings, context, picture),
        "guided" => view_guided(tables, frame, settings, &context.picture, picture),
        "focus" => focus::draw(tables, frame, settings, context, picture),
        _ => Err(Error::Pass { pass: "summed_area/view".into(), problem: format!("no view {name}") }),
    }
}

fn view_boxes(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    name: &str,
    settings: &SummedAreaSettings,
    context: &FrameContext,
    picture: &ImageView,
) -> Result<()> {
    let (below, exact) = (&context.picture, SummedAreaSettings { precision: Precision::U32, ..settings.clone() });
    let (variant, table) = match name {
        "mean" => ("mean", tables.record(frame, settings, below)?),
        "error" => {
            let luma = SummedAreaSettings { input: Input::Luminance, ..settings.clone() };
            ("error", tables.record(frame, &luma, below)?)
        }
        "deviation" => {
            let source = Source { numbers: Numbers::LumaAndSquare(below.clone()), ..Source::luma(below) };
            ("variance", tables.build(frame, settings, &source, SECOND)?)
        }
        _ => ("threshold", tables.build(frame, &exact, &Source::luma(below), SECOND)?),
    };
    let truth = match variant {
        "error" => Some(tables.build(frame, &exact, &Source::luma(below), TRUTH)?),
        _ => None,
    };
    let layout = &table.layout;
    let mut constants = layout.lookup();
    constants.retain(|(name, _)| variant != "threshold" || *name != "LESS");
    let pipeline = tables.scratch.pipeline::<ViewPush>(format!("view.comp:{variant}"), constants, None)?;
    let push = ViewPush {
        full: UVec2::from_array(layout.full),
        pitch: layout.pitch,
        plane: layout.plane,
        true_plane: truth.as_ref().map_or(0, |truth| truth.layout.plane),
        channels: layout.channels,
        radius: if variant == "threshold" { (layout.full[0] / 16).max(1) } else { settings.radius },
        percent: settings.percent,
        scale: layout.scale,
    };
    let words = truth.as_ref().map_or(&table.words, |truth| &truth.words);
    let pass = frame.compute("summed_area/view", &pipeline).bind_named([
        ("below", below.clone().through(Sampler::NearestClamp).into()),
        ("Table", (&table.words).into()),
        ("Truth", words.into()),
        ("Means", (&table.means).into()),
        ("picture", picture.into()),
    ]);
    pass.push(&push).dispatch(layout.full)
}

fn view_guided(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    settings: &SummedAreaSettings,
    below: &ImageView,
    picture: &ImageView,
) -> Result<()> {
    let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
    let source = Source { numbers: Numbers::LumaAndSquare(below.clone()), ..Source::luma(below) };
    let first = tables.build(frame, &exact, &source, SECOND)?;
    let size = first.layout.full;
    let lines = Planes::new(size, 2);
    let words = tables.scratch.buffer("lines", lines.bytes())?;
    let numbers =
        Numbers::Words { words: words.clone(), pitch: lines.pitch, plane: lines.plane, channels: lines.planes };
    let source = Source::of(numbers, size, 1.0 / 65535.0);
    let push = |layout: &Layout| GuidePush {
        full: UVec2::from_array(size),
        pitch: layout.pitch,
        plane: layout.plane,
        radius: settings.radius.max(1),
        lines_pitch: lines.pitch,
        lines_plane: lines.plane,
        epsilon: settings.edge * settings.edge,
    };
    let bound = |table: &Table| {
        [("below", below.clone().through(Sampler::NearestClamp).into()), ("Table", (&table.words).into())]
    };
    let make = tables.scratch.pipeline::<GuidePush>("guide.comp:lines", first.layout.lookup(), None)?;
    let pass = frame.compute("summed_area/lines", &make).bind_named(bound(&first)).bind("Lines", &words);
    pass.bind_named([("Means", (&first.means).into())]).push(&push(&first.layout)).dispatch(size)?;
    let second = tables.build(frame, &exact, &source, TRUTH)?;
    let apply = tables.scratch.pipeline::<GuidePush>("guide.comp:filtered", second.layout.lookup(), None)?;
    let pass = frame.compute("summed_area/view", &apply).bind_named(bound(&second)).bind("picture", picture);
    pass.bind_named([("Means", (&second.means).into())]).push(&push(&second.layout)).dispatch(size)
}
