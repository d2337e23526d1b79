//! Explanations of the last frame: stories of its pixels (`--pixel`), and the steps of a workgroup (`--steps`).

use super::arguments::{PixelArgument, StepsArgument};
use super::cli::HeadlessOptions;
use super::failure::{Failure, OrFail as _};
use super::write;
use anyhow::Result;
use egui::{Context, Pos2, RawInput, Rect};
use gpu::{DeviceInfo, Drawing, Format, Frames, Image, ImageDesc, Painter, TextureChanges, Use};
use instrument::{FrameRequest, FrameResults, StepsRequest, Story, StoryRequest};
use media::picture::Picture;
use serde_json::{Value, json};
use std::path::Path;
use technique::{Output, Replay, Step};
use techniques::{Evidence, INFOS, typed_info};
use ui::{replay::show_still, theme};

/// Pixels.
const PICTURE: [u32; 2] = [1800, 1280];
const PIXELS_PER_POINT: f32 = 2.0;
const GROUND: [f32; 4] = [16.0 / 255.0, 18.0 / 255.0, 25.0 / 255.0, 1.0];

/// What the options ask of the last frame.
pub struct Explanations {
    size: [u32; 2],
    stories: Vec<StoryRequest>,
    steps: Option<StepsRequest>,
}

fn check_place(option: &str, [x, y]: [u32; 2], [width, height]: [u32; 2]) -> Result<(), Failure> {
    if x < width && y < height {
        return Ok(());
    }
    let expected = format!("expected 0,0 to {},{}", width - 1, height - 1);
    Err(Failure::bad(format!("{option}{x},{y}: the picture has {width}x{height} pixels; {expected}")))
}

impl Explanations {
    pub fn new(options: &HeadlessOptions, size: [u32; 2]) -> Result<Self, Failure> {
        let pixels = &options.pixel[..];
        for PixelArgument(pixel) in pixels {
            check_place("--pixel ", *pixel, size)?;
        }
        let steps = options.steps.steps.as_ref().map(|steps| steps_of(steps, size)).transpose()?;
        let story = |(number, PixelArgument(pixel)): (u64, &PixelArgument)| StoryRequest { pixel: *pixel, number };
        Ok(Self { size, stories: (1..).zip(pixels).map(story).collect(), steps })
    }

    pub fn ask(&self, frame: &mut FrameRequest) {
        frame.stories.extend_from_slice(&self.stories);
        frame.steps = self.steps.or(frame.steps);
    }

    pub fn outputs(&self) -> &'static [(&'static str, &'static str)] {
        if self.stories.is_empty() { &[] } else { Evidence::new(None).outputs() }
    }

    pub fn story(&self, results: &FrameResults<'_>, facts: &DeviceInfo) -> Option<String> {
        let story = |Story { pixel, steps, .. }: &Story| {
            let steps: Vec<Value> = steps.iter().map(Step::json).collect();
            json!({ "pixel": pixel, "steps": steps })
        };
        let stories: Vec<Value> = results.stories.iter().map(story).collect();
        let device = json!({ "name": facts.name, "driver": facts.driver });
        let all = json!({ "device": device, "size": self.size, "pixels": stories });
        (!stories.is_empty()).then(|| format!("{all:#}\n"))
    }

    pub fn steps(&self, results: &FrameResults<'_>, frames: &mut Frames) -> Result<Option<DrawnSteps>> {
        let technique = self.steps.map_or("", |steps| steps.technique);
        if let Some((_, why)) = results.refusal {
            return Err(Failure::bad(format!("--steps {technique}: {why}")).into());
        }
        let draw = |replay: &Replay| Ok(DrawnSteps { pictures: pictures(frames, replay)?, replay: replay.clone() });
        results.steps.map(draw).transpose()
    }
}

pub struct DrawnSteps {
    replay: Replay,
    pictures: Vec<Picture>,
}

fn pictures(frames: &mut Frames, replay: &Replay) -> Result<Vec<Picture>> {
    let title = INFOS.iter().find(|info| info.id == replay.technique).map_or("", |info| info.title);
    let target = Image::new(frames.gpu(), ImageDesc::new("step", PICTURE, Format::Rgba8, &[Use::Color]))?;
    let mut painter = Painter::new(frames.gpu(), target.format())?;
    let ctx = Context::default();
    theme::install(&ctx);
    ctx.set_pixels_per_point(PIXELS_PER_POINT);
    let size = PICTURE.map(|side| side as f32 / PIXELS_PER_POINT);
    let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size.into()));
    let mut pictures = Vec::new();
    for number in 0..replay.steps.len() {
        let (mut textures, mut shapes) = (TextureChanges::default(), Vec::new());
        // The first run makes the font's texture at another scale.
        for _ in 0..3 {
            let input = RawInput { screen_rect, ..RawInput::default() };
            let output = ctx.run_ui(input, |ui| show_still(ui, replay, title, number));
            textures.append(output.textures_delta.into());
            shapes = output.shapes;
        }
        let panels = ctx.tessellate(shapes, PIXELS_PER_POINT);
        let drawing = Drawing { marks: Vec::new(), panels, textures, pixels_per_point: PIXELS_PER_POINT };
        let (read, _) = frames.once(|frame| -> gpu::Result<_> {
            frame.clear("step", &target.mip(0), GROUND)?;
            painter.paint(frame, &target, drawing)?;
            Output::from(&target.mip(0)).read(frame)
        })?;
        pictures.push(read.picture()?);
    }
    Ok(pictures)
}

fn steps_of(StepsArgument { technique, pixel }: &StepsArgument, size: [u32; 2]) -> Result<StepsRequest, Failure> {
    let info = typed_info(technique).map_err(|why| Failure::bad(format!("--steps: {why}")))?;
    if info.lab.replays.is_empty() {
        let with: Vec<&str> = INFOS.iter().filter(|info| !info.lab.replays.is_empty()).map(|info| info.id).collect();
        let why = format!("--steps {technique}: it has no steps; expected one of {}", with.join(", "));
        return Err(Failure::bad(why));
    }
    let pixel = pixel.unwrap_or(size.map(|side| side / 2));
    check_place(&format!("--steps {technique}:"), pixel, size)?;
    Ok(StepsRequest { technique: info.id, pixel, number: 1 })
}

pub fn write_steps(folder: &Path, steps: &DrawnSteps, report: &mut dyn FnMut(&str)) -> Result<(), Failure> {
    let DrawnSteps { replay, pictures } = steps;
    std::fs::create_dir_all(folder).map_err(anyhow::Error::from).or_bad("--png-series")?;
    for (number, picture) in pictures.iter().enumerate() {
        let file = folder.join(format!("{number:02}.png"));
        write(&file, &picture.encode_png().or_bad("--png-series")?).or_bad("--png-series")?;
    }
    let [column, row] = replay.tiles.at;
    report(&format!("{}, tile {column}, {row}: {} steps\n", replay.technique, replay.steps.len()));
    report(&format!("{}\n", replay.note));
    for (number, step) in replay.steps.iter().enumerate() {
        report(&format!("step {:02} {}\n", number + 1, step.name));
    }
    for comparison in &replay.comparisons {
        report(&format!("{}\n", comparison.text));
    }
    match replay.comparisons.iter().find(|comparison| !comparison.is_equal()) {
        Some(wrong) => Err(Failure::failed(format!("--steps {}: {}", replay.technique, wrong.text))),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::test_gpu;
    use technique::{Cell, Drawing, Grid, ReplayStep};

    const DRAWN: [[u8; 3]; 2] = [[255, 40, 200], [40, 255, 190]];

    fn replay() -> Replay {
        let color = |at: usize| [(40 + at * 5 % 200) as u8, (90 + at * 37 % 150) as u8, (70 + at * 61 % 180) as u8];
        let cells = |first: usize| (first..first + 16).map(|at| Cell::item(color(at), at)).collect();
        let circle = Drawing::circle(DRAWN[0], [6.0, 4.0], 3.0).filled();
        let line = Drawing::line(DRAWN[1], [[0.0, 0.0], [90.0, 60.0]]);
        let plan = Grid::paper("Plan", [12, 8]).drawn(vec![circle, line]);
        let steps = vec![
            ReplayStep::new("read", "Cells.", vec![Grid::new("Tile", 4, cells(0))]),
            ReplayStep::new("write", "Cells and lines.", vec![Grid::new("Tile", 4, cells(16)), plan]),
        ];
        Replay { technique: "glass", steps, ..Replay::default() }
    }

    #[test]
    fn pictures_show_the_colours_of_the_cells() {
        let (gpu, replay) = (test_gpu(), replay());
        let pictures = pictures(&mut Frames::new(&gpu, 1), &replay).unwrap();
        assert_eq!(pictures.len(), 2);
        let near = |texel: &[u8], color: [u8; 3]| texel.iter().zip(color).all(|(a, b)| a.abs_diff(b) < 6);
        for (picture, step) in pictures.iter().zip(&replay.steps) {
            assert_eq!(picture.size, PICTURE);
            let count = |color| picture.rgba.chunks_exact(4).filter(|texel| near(&texel[..3], color)).count();
            for cell in &step.grids[0].cells {
                let count = count(cell.color);
                assert!(count > 60, "{}: {count} pixels of {:?}", step.name, cell.color);
            }
            for color in DRAWN.into_iter().filter(|_| step.name == "write") {
                let count = count(color);
                assert!((40..12_000).contains(&count), "{count} pixels of a line of {color:?}");
            }
        }
    }
}
