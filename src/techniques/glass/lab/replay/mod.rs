//! Replay of a pixel of the glass: cross-section, rays, footprint, looks, layers of light, and the layers of the source's shader.

mod compared;
mod displacement;
mod layers;
mod optics_steps;
mod region;
mod source_steps;
mod subject;

pub use optics_steps::section_figure;

use super::{
    reference::{Glass, lens::Below},
    story::{self, Conditions},
};
use crate::PassSettings as _;
use crate::passes::stack::LensBody;
use crate::settings::{GlassSettings, Mode};
use glam::UVec2;
use media::array::Element;
use subject::Subject;
use technique::{Replay, StoryPixel, Variant};

const NOTE: &str = "On the GPU one pass does all of this for every pixel. The steps are the reference implementation's, which switches the layers of light on one by one.";

pub fn replay(conditions: Conditions, settings: &GlassSettings, pixel: &StoryPixel<'_>) -> Result<Replay, String> {
    let array = pixel.array("picture").ok_or("The frame has no picture.")?;
    let size = pixel.context.picture.size();
    let is_whole = array.shape == [size[1] as usize, size[0] as usize, 4] && array.element == Element::U8;
    if !is_whole || pixel.at[0] >= size[0] || pixel.at[1] >= size[1] {
        return Err("The picture does not have the size of the window.".into());
    }
    let picture = story::picture_of(array).ok_or("The picture was not read.")?;
    let lenses = &pixel.context.lenses;
    let Some(first) = lenses.first() else { return Err("No lens is over the picture.".into()) };
    let stack = story::stack_of(settings, pixel);
    let [LensBody { settings, .. }] = stack.bodies() else {
        return Err("Lenses of different glass are in this frame; expected one glass for all of them.".into());
    };
    let frag = UVec2::from_array(pixel.at).as_vec2() + 0.5;
    let subject = Subject { settings, picture: &picture, frag, lenses, scale: pixel.context.scale };
    let (mut steps, compared) = if settings.mode == Mode::Source {
        let (center, blur) = (first.center, settings.source_blur());
        let steps = source_steps::steps(&subject, center, blur);
        (steps, compared::of_source(&subject, center, blur, &pixel.texels.shown)?)
    } else {
        let glass = Glass::new(&story::scene(conditions, settings, pixel));
        let mut below = Below::new(&picture, &glass);
        let mut steps = optics_steps::steps(&subject, &glass, &below);
        steps.extend(layers::steps(&subject, &glass, &mut below));
        (steps, compared::of_lens(&subject, (&glass, &below), pixel)?)
    };
    let (last, comparison) = compared;
    steps.push(last);
    let (pass, runs, more) = match settings.mode {
        Mode::Source => ("glass/source", "the reference glass".to_owned(), ""),
        Mode::Lens => ("glass/lens", format!("the lens with the blur {}", settings.blur.title()), NOTE),
    };
    let note = Variant::same(runs).note(more);
    Ok(Replay::new(pixel.tiles([1, 1], size), steps, vec![comparison], note).timed(&[pass]))
}
