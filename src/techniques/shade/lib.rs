//! Shading: from a visibility buffer to light, by the sorted list or by raster blocks, and from light to a picture.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod display;
mod frame;
mod input;
#[cfg(feature = "lab")]
pub mod lab;
mod layers;
mod passes;
mod settings;
mod shaders;
mod sky_picture;
mod views;

pub use input::{ShadeInput, Work};
pub use layers::LAYERS;
pub use passes::shading::{LIST, RASTER, Shading};
pub use settings::{By, ShadeSettings, Tone};

use self::{
    frame::WHITE,
    layers::Layers,
    passes::{
        sky::Sky,
        split::Passes,
        tone::{self, Tones},
    },
    shaders::Shaders,
};
use gpu::{Buffer, Frame, Gpu, ImageSlot, ImageView, Memory, PipelineCache, Result};
use media::array::Element;
use scene::world::World;
use std::sync::Arc;
use technique::{A_WORLD, COLOURS, FrameContext, Info, MirrorlessShading, Output, OutputInfo, Stage, Technique};

pub struct Shade {
    gpu: Arc<Gpu>,
    shaders: Shaders,
    background: PipelineCache<u32>,
    passes: Passes,
    sky: Sky,
    tones: Tones,
    images: Images,
    white: f32,
    nothing: Buffer,
    world: WorldCache,
    last: Option<MirrorlessShading>,
    layers: Layers,
}

#[derive(Default)]
struct Images {
    hdr: ImageSlot,
    mirrors: ImageSlot,
    no_shadow: ImageSlot,
}

#[derive(Default)]
struct WorldCache {
    kinds: Option<(Arc<World>, u32)>,
    lamps: Option<(Arc<World>, f32, Buffer)>,
}

impl Technique for Shade {
    const INFO: Info = Info {
        id: "shade",
        title: "Shading",
        doc: include_str!("../../../docs/shade.md"),
        stage: Stage::World,
        views: &views::VIEWS,
        fixed_passes: &[tone::TONE, tone::ENLARGE],
        outputs: &[OutputInfo {
            name: "light",
            doc: "Linear light of each pixel before exposure and tone curve, opaque; white paper in a high sun is about 6.",
            elements: &[Element::F16],
            shape: COLOURS,
            needs: A_WORLD,
        }],
        ..Info::NONE
    };
    type Settings = ShadeSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            shaders: Shaders::new(gpu),
            background: PipelineCache::default(),
            passes: Passes::new(gpu)?,
            sky: Sky::new(gpu)?,
            tones: Tones::new(gpu),
            images: Images::default(),
            white: WHITE,
            nothing: Buffer::new(gpu, "shade no list", 16, Memory::Device)?,
            world: WorldCache::default(),
            last: None,
            layers: Layers::default(),
        })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        let Some(world) = &context.world else { return Ok(false) };
        self.view(frame, name, settings, world, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let world = context.world.as_ref()?;
        (name == "light").then(|| (&world.light).into())
    }
}
