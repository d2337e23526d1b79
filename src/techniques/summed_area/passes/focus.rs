//! Depth of field from tables: each pixel gathers from its own box, or spreads its light over it.

use super::methods::TableBuffers;
use crate::{
    settings::{FocusBy, SummedAreaSettings},
    table::{Numbers, Planes, Precision, Source, Table},
    table_builder::TableBuilder,
};
use glam::UVec2;
use gpu::{Frame, ImageView, Resource, Result, Sampler, gpu_struct};
use technique::FrameContext;

gpu_struct! {
    struct FocusPush {
        full: UVec2,
        pitch: u32,
        plane: u32,
        scale: f32,
        widest: f32,
        near: f32,
        focus: f32,
        lines_pitch: u32,
        lines_plane: u32,
        radii_pitch: u32,
        radii_plane: u32,
    }
}

const BLURRED: TableBuffers = TableBuffers { table: "table of light", means: "means of light", ..TableBuffers::SHOWN };

const RADII: TableBuffers = TableBuffers { table: "table of radii", means: "means of radii", ..TableBuffers::SHOWN };

/// No box of this radius reaches 2^32.
pub fn unit_for(radius: u32) -> f32 {
    let side = f64::from(2 * radius + 1);
    (4_294_967_000.0 / (side * side)).floor().min(65535.0) as f32
}

pub fn draw(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    settings: &SummedAreaSettings,
    context: &FrameContext,
    picture: &ImageView,
) -> Result<()> {
    let light = context.chain.mip(0);
    let world = context.world.as_ref().map(|world| (&world.depth, world.camera.near));
    focus(tables, frame, settings, &light, world, picture)
}

/// `world`: depth and the distance of the near plane.
pub fn focus(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    settings: &SummedAreaSettings,
    light: &ImageView,
    world: Option<(&ImageView, f32)>,
    picture: &ImageView,
) -> Result<()> {
    let size = light.size();
    let exact = SummedAreaSettings { precision: Precision::U32, ..settings.clone() };
    let below = light.clone().through(Sampler::NearestClamp);
    let depth = world.map_or_else(|| below.clone(), |(depth, _)| depth.clone().through(Sampler::NearestClamp));
    let lines = Planes::new(size, 4);
    let widest = settings.focus_blur;
    let push = FocusPush {
        full: UVec2::from_array(size),
        pitch: 0,
        plane: 0,
        scale: 0.0,
        widest,
        near: world.map_or(1.0, |(_, near)| near),
        focus: if world.is_some() { settings.focus_distance } else { settings.focus_row },
        lines_pitch: lines.pitch,
        lines_plane: lines.plane,
        radii_pitch: 0,
        radii_plane: 0,
    };
    let has_depth = ("HAS_DEPTH", u32::from(world.is_some()));
    let (source, variant) = match settings.focus_by {
        FocusBy::Gather => {
            let unit = unit_for(widest as u32 + 1);
            let numbers = Numbers::Channels { view: light.clone(), unit, count: 3 };
            (Source::of(numbers, size, 1.0 / unit), "gather")
        }
        FocusBy::Spread => {
            let words = tables.scratch.buffer("corners", lines.bytes())?;
            frame.fill("summed_area/no corners", &words, 0)?;
            let pipeline = tables.scratch.pipeline::<FocusPush>("spread.comp", vec![has_depth], None)?;
            let pass = frame.compute("summed_area/spread", &pipeline);
            let pass = pass.bind_named([("below", below.clone().into()), ("depth", depth.clone().into())]);
            pass.bind("Lines", &words).push(&push).dispatch(size)?;
            let (pitch, plane, channels) = (lines.pitch, lines.plane, lines.planes);
            (Source::of(Numbers::Words { words, pitch, plane, channels }, size, 1.0), "spread")
        }
    };
    let table = tables.build(frame, &exact, &source, BLURRED)?;
    let layout = table.layout;
    let radii = if variant == "gather" && world.is_some() {
        Some(build_radii(tables, frame, &exact, [below.clone(), depth.clone()], push)?)
    } else {
        None
    };
    let mut constants = if variant == "gather" { layout.lookup() } else { vec![] };
    if variant == "gather" {
        constants.push(has_depth);
    }
    let pipeline = tables.scratch.pipeline::<FocusPush>(format!("focus.comp:{variant}"), constants, None)?;
    let [radii_pitch, radii_plane] = radii.as_ref().map_or([0; 2], |radii| [radii.layout.pitch, radii.layout.plane]);
    let push =
        FocusPush { pitch: layout.pitch, plane: layout.plane, scale: layout.scale, radii_pitch, radii_plane, ..push };
    let pass = frame.compute("summed_area/view", &pipeline).bind_named([
        ("below", below.into()),
        ("depth", depth.into()),
        ("Table", Resource::from(&table.words)),
        ("Means", (&table.means).into()),
        ("Radii", (&radii.as_ref().unwrap_or(&table).words).into()),
        ("picture", picture.into()),
    ]);
    pass.push(&push).dispatch(size)
}

fn build_radii(
    tables: &mut TableBuilder,
    frame: &mut Frame,
    settings: &SummedAreaSettings,
    [below, depth]: [ImageView; 2],
    push: FocusPush,
) -> Result<Table> {
    let size = push.full.to_array();
    let planes = Planes::new(size, 2);
    let words = tables.scratch.buffer("radii", planes.bytes())?;
    let scale = unit_for(push.widest as u32 + 1);
    let push = FocusPush { scale, lines_pitch: planes.pitch, lines_plane: planes.plane, ..push };
    let pipeline = tables.scratch.pipeline::<FocusPush>("radii.comp", vec![("HAS_DEPTH", 1)], None)?;
    let pass = frame.compute("summed_area/radii", &pipeline);
    let pass = pass.bind_named([("below", below.into()), ("depth", depth.into())]);
    pass.bind("Lines", &words).push(&push).dispatch(size)?;
    let numbers = Numbers::Words { words, pitch: planes.pitch, plane: planes.plane, channels: planes.planes };
    tables.build(frame, settings, &Source::of(numbers, size, 1.0), RADII)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_box_overflows() {
        for radius in 0..=300u32 {
            let area = u64::from(2 * radius + 1).pow(2);
            assert!(unit_for(radius) as u64 * area < 1 << 32, "{radius}");
        }
        assert_eq!(unit_for(100), 65535.0);
    }
}
