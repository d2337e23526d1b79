//! Brightness of the picture below the panels: over a bright picture they are bright, with dark text.

use crate::light::LUMA;
use crate::light::look_turn::LookTurn;
use base::srgb;
use glam::{UVec2, Vec2, Vec3};
use gpu::{Delayed, Format, Frame, Gpu, ImageDesc, ImageSlot, ImageView, ReadBack, Result};
use std::sync::Arc;
use std::time::Instant;

/// Bright above the first mean (sRGB, 0..1), dark below the second: between the built-in scenes by day (0.49 and more below the dock) and
/// those at night or dusk (0.37 and less).
const BRIGHT: [f32; 2] = [0.46, 0.4];
/// Most seconds of a frame that count towards a turn: a slow one alone turns nothing.
const LONGEST_S: f32 = 0.3;
/// At least four pixels a texel.
const SIZE: UVec2 = UVec2::new(64, 36);

pub struct PanelBackdrop {
    gpu: Arc<Gpu>,
    small: ImageSlot,
    looks: Delayed<Look>,
    panels: Vec<[Vec2; 2]>,
    awaited: Option<u64>,
    turn: Option<LookTurn>,
    seconds: f32,
    looked_at: Option<Instant>,
    view: Option<&'static str>,
    turn_over_picture: Option<LookTurn>,
}

struct Look {
    view: Option<&'static str>,
    texels: ReadBack,
    is_blue_first: bool,
    panels: Vec<[Vec2; 2]>,
    seconds: f32,
}

fn luminance(texel: [u8; 3]) -> f32 {
    Vec3::from_array(texel.map(|byte| srgb::decode(f32::from(byte) / 255.0))).dot(LUMA)
}

/// Whether panels over these texels are bright at first.
pub fn is_bright_at_first(texels: impl Iterator<Item = [u8; 3]>) -> bool {
    let (sum, count) = texels.fold((0.0, 0.0), |(sum, count), texel| (sum + luminance(texel), count + 1.0));
    count > 0.0 && is_rather_bright(sum / count)
}

/// Farthest from a turn.
fn is_rather_bright(mean: f32) -> bool {
    srgb::encode(mean) >= 0.5 * (BRIGHT[0] + BRIGHT[1])
}

fn mean_below(texels: &[[u8; 4]], is_blue_first: bool, panels: &[[Vec2; 2]]) -> Option<f32> {
    let (mut sum, mut count) = (0.0, 0.0);
    for [low, high] in panels {
        let low = low.floor().max(Vec2::ZERO).as_uvec2().min(SIZE);
        let high = high.ceil().max(Vec2::ZERO).as_uvec2().min(SIZE);
        for y in low.y..high.y {
            for x in low.x..high.x {
                let Some([red, green, blue, _]) = texels.get((y * SIZE.x + x) as usize) else { continue };
                let texel = if is_blue_first { [blue, green, red] } else { [red, green, blue] };
                sum += luminance(texel.map(|byte| *byte));
                count += 1.0;
            }
        }
    }
    (count > 0.0).then(|| sum / count)
}

fn wants_bright(mean: f32, was: bool) -> bool {
    srgb::encode(mean) >= if was { BRIGHT[1] } else { BRIGHT[0] }
}

impl PanelBackdrop {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            gpu: gpu.clone(),
            small: Default::default(),
            looks: Default::default(),
            panels: Default::default(),
            awaited: None,
            turn: None,
            seconds: 0.0,
            looked_at: None,
            view: None,
            turn_over_picture: None,
        }
    }

    pub fn is_bright(&self) -> Option<bool> {
        self.turn.map(LookTurn::is_bright)
    }

    pub fn is_looking(&self) -> bool {
        self.awaited.is_some() || self.turn.is_some_and(LookTurn::is_pending)
    }

    pub fn pass_time(&mut self, seconds: f32) {
        self.seconds += seconds;
    }

    pub fn on_timing(&mut self, ended: u64) -> Result<()> {
        self.awaited = self.awaited.filter(|frame| *frame > ended);
        if let Some(Look { view, texels, is_blue_first, panels, seconds }) = self.looks.take(ended)
            && view == self.view
            && let Some(mean) = mean_below(&texels.read::<[u8; 4]>()?, is_blue_first, &panels)
        {
            self.turn = Some(match self.turn {
                Some(turn) => turn.next(wants_bright(mean, turn.is_bright()), seconds),
                None => LookTurn::new(is_rather_bright(mean)),
            });
        }
        Ok(())
    }

    /// `picture` is encoded; `panels` are corners in its pixels. `view`: it is that view; `is_new`: the picture
    /// changed.
    pub fn look(
        &mut self,
        frame: &mut Frame,
        panels: &[[Vec2; 2]],
        picture: &ImageView,
        view: Option<&'static str>,
        is_new: bool,
    ) -> Result<()> {
        let is_new = is_new || view != self.view;
        match (std::mem::replace(&mut self.view, view), view) {
            (None, Some(_)) => self.turn_over_picture = self.turn,
            (Some(_), None) => self.turn = self.turn_over_picture,
            _ => {}
        }
        if panels.is_empty() {
            return Ok(());
        }
        let format = picture.format();
        let small = self.small.fit(&self.gpu, ImageDesc::new("below panels", SIZE.to_array(), format, &[]))?;
        frame.blit("glass/below panels", picture, &small.mip(0))?;
        let texels = frame.read_image(&small.mip(0))?;
        let scale = SIZE.as_vec2() / UVec2::from_array(picture.size()).as_vec2().max(Vec2::ONE);
        let scaled = panels.iter().map(|[low, high]| [*low * scale, *high * scale]).collect();
        // The scene's clock is slower than real frames on slow devices.
        let since = self.looked_at.replace(Instant::now()).map_or(0.0, |then| then.elapsed().as_secs_f32());
        let seconds = std::mem::take(&mut self.seconds).max(since.min(LONGEST_S));
        let is_blue_first = format == Format::Bgra8;
        self.looks.put(frame.number(), Look { view, texels, is_blue_first, panels: scaled, seconds });
        if is_new || self.panels != panels {
            self.panels = panels.to_vec();
            self.awaited = Some(frame.number());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panels_are_bright_over_bright_pictures_and_do_not_flicker() {
        let right = SIZE.x / 2;
        let texel = |at: u32| if at % SIZE.x < right { [255; 4] } else { [0, 0, 255, 255] };
        let texels: Vec<[u8; 4]> = (0..SIZE.x * SIZE.y).map(texel).collect();
        let mean = |low: u32, high: u32, is_blue_first| {
            let corners = [[low, 0], [high, SIZE.y]].map(|[x, y]| UVec2::new(x, y).as_vec2());
            mean_below(&texels, is_blue_first, &[corners])
        };
        let near = |mean: Option<f32>, wanted: f32| mean.is_some_and(|mean| (mean - wanted).abs() < 1e-4);
        assert!(near(mean(0, right, false), 1.0) && near(mean(right, SIZE.x, false), LUMA.z));
        assert!(near(mean(right, SIZE.x, true), LUMA.x) && near(mean(0, SIZE.x, false), 0.5 * (1.0 + LUMA.z)));
        assert_eq!(mean(SIZE.x + 1, SIZE.x + 9, false), None);
        assert!(wants_bright(1.0, false) && !wants_bright(0.0, true));
        let is_bright = |level| is_bright_at_first([[level; 3]; 2].into_iter());
        assert!(is_bright(115) && !is_bright(105) && !is_bright_at_first(std::iter::empty()));
        assert!(wants_bright(0.155, true) && !wants_bright(0.155, false));
    }

    #[test]
    fn the_picture_is_looked_at_below_the_panels() {
        let mut bench = lab::TestBench::validated();
        let gpu = bench.gpu().clone();
        let size = [320, 200];
        let picture = gpu::Image::new(&gpu, ImageDesc::new("picture", size, Format::Rgba8, &[])).unwrap();
        let half: Vec<[u8; 4]> =
            (0..size[0] * size[1]).map(|at| if at % size[0] < 160 { [250; 4] } else { [9; 4] }).collect();
        let mut below = PanelBackdrop::new(&gpu);
        let panel = |left: f32| [[Vec2::new(left, 10.0), Vec2::new(left + 120.0, 190.0)]];
        let (mut number, mut answers) = (0, Vec::new());
        for (panels, is_new) in [(panel(10.0), true), (panel(10.0), false), (panel(180.0), false)] {
            bench
                .run(|frame| {
                    number = frame.number();
                    frame.upload(&picture.mip(0), &half)?;
                    below.pass_time(1.0);
                    below.look(frame, &panels, &picture.mip(0), None, is_new)
                })
                .unwrap();
            let awaits = below.is_looking();
            below.on_timing(number).unwrap();
            answers.push((awaits, below.is_bright(), below.is_looking()));
        }
        assert_eq!(answers, [(true, Some(true), false), (false, Some(true), false), (true, Some(false), false)]);
        let grey = |bench: &mut lab::TestBench, below: &mut PanelBackdrop, view, level: u8| {
            below.pass_time(1.0);
            bench
                .run(|frame| {
                    frame.upload(&picture.mip(0), &vec![[level; 4]; half.len()])?;
                    below.look(frame, &panel(10.0), &picture.mip(0), view, false)?;
                    Ok(frame.number())
                })
                .unwrap()
        };
        for (view, level, is_bright) in [(None, 250, true), (None, 110, true), (Some("dark"), 9, false)] {
            let number = grey(&mut bench, &mut below, view, level);
            below.on_timing(number).unwrap();
            assert_eq!(below.is_bright(), Some(is_bright), "{view:?} {level}");
        }
        let late = grey(&mut bench, &mut below, Some("dark"), 9);
        let number = grey(&mut bench, &mut below, None, 110);
        for ended in [late, number] {
            below.on_timing(ended).unwrap();
            assert_eq!(below.is_bright(), Some(true));
        }
    }
}
