//! Bytes that a pass moves.
use super::{
    access::Access,
    bind::{Resource, ResourceUse},
    frame::Compute,
    image::{ImageView, mip_size},
};
use std::{collections::BTreeMap, sync::Arc};

impl Compute<'_> {
    /// Bytes that the pass needs, each once, where bound ranges show too much. Evaluated only while passes are
    /// captured.
    pub fn counted(self, bytes: impl FnOnce() -> u64) -> Self {
        if let Some(capture) = &mut self.frame.capture {
            capture.counted = Some(bytes());
        }
        self
    }
}

/// Read and written if each byte of a bound range moves once, without the previous contents of `unread` attachments.
pub(super) fn traffic(touches: &[ResourceUse], unread: &[ImageView]) -> [u64; 2] {
    let mut ranges: BTreeMap<(usize, u32), (u64, [bool; 2])> = BTreeMap::new();
    for ResourceUse { resource, how } in touches {
        let is_written = how.scope().writes;
        let is_unread = |view: &ImageView| unread.iter().any(|other| Resource::from(other).same(&view.into()));
        let is_read = match (how, resource) {
            (Access::Write(_) | Access::TransferWrite, _) => false,
            (Access::Color | Access::Depth, Resource::ImageView(view)) => !is_unread(view),
            _ => true,
        };
        let mut add = |key, bytes| {
            let (_, uses) = ranges.entry(key).or_insert((bytes, [false; 2]));
            *uses = [uses[0] || is_read, uses[1] || is_written];
        };
        match resource {
            Resource::Buffer(buffer) => add((Arc::as_ptr(&buffer.0).addr(), 0), buffer.size()),
            Resource::ImageView(view) => {
                for level in view.base..view.base + view.count {
                    let texels: u64 = mip_size(view.image.size(), level).into_iter().map(u64::from).product();
                    add((Arc::as_ptr(&view.image.0).addr(), level), texels * u64::from(view.format.bytes()));
                }
            }
        }
    }
    let sum = |side: usize| ranges.values().filter(|(_, uses)| uses[side]).map(|(bytes, _)| bytes).sum();
    [sum(0), sum(1)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gpu_struct;
    use crate::{
        Blend, ComputePipeline, Format, Frames, Gpu, Image, ImageDesc, PassCapture, PassResources, RasterDesc,
        RasterPipeline, Use,
    };
    use glam::UVec2;

    gpu_struct! { struct AddPush { size: UVec2, amount: f32 } }

    fn listed(gpu: &Arc<Gpu>, record: impl FnOnce(&mut crate::Frame) -> crate::Result<()>) -> Vec<PassResources> {
        let (capture, _) = Frames::new(gpu, 1)
            .once(|frame| {
                frame.begin_capture(PassCapture::default());
                record(frame)?;
                crate::Result::Ok(frame.end_capture())
            })
            .unwrap();
        capture.passes().to_vec()
    }

    #[test]
    fn bytes_are_those_of_the_bound_ranges() {
        let gpu = Gpu::headless(true).unwrap();
        let image = |name, mips| {
            Image::new(&gpu, ImageDesc::new(name, [5, 3], Format::R32F, &[Use::Storage]).mips(mips)).unwrap()
        };
        let (above, below) = (image("above", 1), image("below", 2));
        let add = ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", 2)]).unwrap();
        let passes = listed(&gpu, |frame| {
            frame.upload(&above.mip(0), &[1f32; 15])?;
            let pass = |frame: &mut crate::Frame, counted: Option<u64>| {
                let push = AddPush { size: UVec2::new(2, 1), amount: 1.0 };
                let pass = frame.compute("add", &add).bind("src", &above).bind("dst", below.mip(1)).push(&push);
                counted.into_iter().fold(pass, |pass, bytes| pass.counted(|| bytes)).dispatch([2, 1])
            };
            pass(frame, None)?;
            pass(frame, Some(16))
        });
        assert_eq!((passes[1].bytes, passes[1].counted), ([60, 8], None));
        assert_eq!((passes[2].bytes, passes[2].counted), ([60, 8], Some(16)));
        assert_eq!(passes[1].pipelines.len(), 1);
        assert_eq!(passes[1].pipelines[0].shaders(), ["gpu/add.comp"]);
        assert_eq!(passes[1].pipelines[0].constants(), [("TIMES".to_owned(), 2)]);
    }

    #[test]
    fn attachments_are_read_where_a_draw_blends() {
        let gpu = Gpu::headless(true).unwrap();
        let image = |uses: &[Use]| Image::new(&gpu, ImageDesc::new("layer", [8, 4], Format::Rgba8, uses)).unwrap();
        let (layer, target) = (image(&[Use::Sample, Use::Color]), image(&[Use::Color]));
        for (blend, read) in [(Blend::None, 0), (Blend::Premultiplied, 128)] {
            let shaders = ["include/screen.vert", "gpu/lay.frag"].map(String::from).to_vec();
            let desc = RasterDesc { shaders, color: vec![Format::Rgba8], blend, ..RasterDesc::default() };
            let lay = RasterPipeline::new(&gpu, desc).unwrap();
            let passes = listed(&gpu, |frame| {
                frame.clear("clear", &layer.mip(0), [0.0; 4])?;
                frame.raster("lay").color(&target.mip(0), None).draw(lay.draw(3).bind("layer", &layer)).finish()
            });
            assert_eq!(passes[1].bytes, [128 + read, 128], "{blend:?}");
        }
    }
}
