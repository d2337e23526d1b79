//! Compute mip chain: the blur source of the glass, in linear light.

// What only the laboratory uses.
#![cfg_attr(not(feature = "lab"), allow(unused))]

mod images;
#[cfg(feature = "lab")]
pub mod lab;
mod passes;
mod pipelines;
mod pixel;
mod plan;
mod settings;
mod shape;
mod tier;
mod views;

pub use images::{chain_for, chain_of};
pub use pixel::ChainFormat;
pub use settings::{Method, MipChainSettings};
pub use tier::Filter;

use self::passes::{builder::ChainBuilder, views::Views};
use gpu::{Frame, Gpu, Image, ImageView, Result};
use media::array::Element;
use std::sync::Arc;
use technique::{COLOURS, FrameContext, Info, Output, OutputInfo, Stage, Technique, numbered};

pub struct MipChain {
    builder: ChainBuilder,
    views: Views,
}

impl Technique for MipChain {
    const INFO: Info = Info {
        id: "mip_chain",
        title: "Mip chain",
        doc: include_str!("../../../docs/mip_chain.md"),
        stage: Stage::Picture,
        views: views::VIEWS,
        outputs: &[OutputInfo {
            name: "level N",
            doc: "Level N of the chain of the picture under the glass, linear light, opaque; level 0 is as large as the picture.",
            elements: &[Element::F16],
            shape: COLOURS,
            needs: "a level that the chain has: N less than mip_chain.levels, and none after that of one pixel",
        }],
        ..Info::NONE
    };
    type Settings = MipChainSettings;

    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self { builder: ChainBuilder::new(gpu), views: Views::new(gpu)? })
    }

    fn draw_view(
        &mut self,
        frame: &mut Frame,
        name: &str,
        settings: &Self::Settings,
        context: &FrameContext,
        picture: &ImageView,
    ) -> Result<bool> {
        self.views.draw(frame, &self.builder, name, settings, &context.chain, picture)?;
        Ok(true)
    }

    fn output(&self, name: &str, context: &FrameContext) -> Option<Output> {
        let level = numbered(name, "level").filter(|level| *level < context.chain.mips())?;
        Some(context.chain.mip(level).into())
    }
}

impl MipChain {
    /// From [`chain_for`] or [`chain_of`]; `picture` is encoded and has a view of its sRGB format.
    pub fn record(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
        chain: &Image,
    ) -> Result<()> {
        self.builder.record(frame, settings, picture, chain)
    }

    /// For readers of only `part` of level 0 (left, top, right, bottom; pixels, mirrored at borders), to within
    /// [`READ_BEYOND`](super::READ_BEYOND) texels of each level. Returns whether the rest was left out, as by a
    /// software driver.
    pub fn record_near(
        &self,
        frame: &mut Frame,
        settings: &MipChainSettings,
        picture: &ImageView,
        chain: &Image,
        part: Option<[i32; 4]>,
    ) -> Result<bool> {
        self.builder.record_near(frame, settings, picture, chain, part)
    }
}
