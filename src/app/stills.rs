//! Pictures that instruments draw for their reports of a headless run.

use super::failure::OrFail as _;
use anyhow::Result;
use egui::{Context, Pos2, RawInput, Rect};
use gpu::{Drawing, Format, Frames, Image, ImageDesc, Painter, TextureChanges, Use};
use media::picture::Picture;
use technique::Output;
use ui::instruments::{Draw, InstrumentReport};
use ui::theme;

/// Pixels.
const PICTURE: [u32; 2] = [1800, 1280];
const PIXELS_PER_POINT: f32 = 2.0;
const GROUND: [f32; 4] = [16.0 / 255.0, 18.0 / 255.0, 25.0 / 255.0, 1.0];

/// The drawings become files.
pub fn draw(frames: &mut Frames, report: &mut InstrumentReport) -> Result<()> {
    let (files, drawings): (Vec<_>, Vec<_>) = report.drawings.drain(..).unzip();
    for (file, picture) in files.into_iter().zip(pictures(frames, &drawings)?) {
        report.files.push((file, picture.encode_png().or_bad(report.option)?));
    }
    Ok(())
}

fn pictures(frames: &mut Frames, drawings: &[Draw]) -> Result<Vec<Picture>> {
    let target = Image::new(frames.gpu(), ImageDesc::new("still", PICTURE, Format::Rgba8, &[Use::Color]))?;
    let mut painter = Painter::new(frames.gpu(), target.format())?;
    let ctx = Context::default();
    theme::install(&ctx);
    ctx.set_pixels_per_point(PIXELS_PER_POINT);
    let size = PICTURE.map(|side| side as f32 / PIXELS_PER_POINT);
    let screen_rect = Some(Rect::from_min_size(Pos2::ZERO, size.into()));
    let mut pictures = Vec::new();
    for draw in drawings {
        let (mut textures, mut shapes) = (TextureChanges::default(), Vec::new());
        // The first run makes the font's texture at another scale.
        for _ in 0..3 {
            let output = ctx.run_ui(RawInput { screen_rect, ..RawInput::default() }, |ui| draw(ui));
            textures.append(output.textures_delta.into());
            shapes = output.shapes;
        }
        let panels = ctx.tessellate(shapes, PIXELS_PER_POINT);
        let drawing = Drawing { marks: Vec::new(), panels, textures, pixels_per_point: PIXELS_PER_POINT };
        let (read, _) = frames.once(|frame| -> gpu::Result<_> {
            frame.clear("still", &target.mip(0), GROUND)?;
            painter.paint(frame, &target, drawing)?;
            Output::from(&target.mip(0)).read(frame)
        })?;
        pictures.push(read.picture()?);
    }
    Ok(pictures)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpu::test_gpu;
    use technique::{Cell, Drawing, Grid, Replay, ReplayStep};
    use ui::replay::show_still;

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
        let draw = |number: usize| -> Draw {
            let replay = replay.clone();
            Box::new(move |ui| show_still(ui, &replay, "Glass", number))
        };
        let pictures = pictures(&mut Frames::new(&gpu, 1), &[draw(0), draw(1)]).unwrap();
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
