//! One pass per kind of material, for devices on which a branch that is not taken costs as much as one that is.

use super::sky::SKY_PICTURE;
use gpu::{Buffer, Compute, ComputePipeline, Frame, Gpu, Memory, PipelineCache, Result};
use scene::world::MaterialKind;
use std::sync::Arc;

const PARTS: u32 = MaterialKind::ALL.len() as u32 + 1;
const NO_CALL: [u32; 4] = [0, 1, 1, 0];

#[derive(Clone)]
pub struct Groups {
    pub groups: Buffer,
    pub calls: Buffer,
}

impl Groups {
    pub fn call_of(&self, kind: u32) -> u64 {
        16 * u64::from(kind)
    }
}

pub struct Passes {
    gpu: Arc<Gpu>,
    pixels: ComputePipeline,
    sky: ComputePipeline,
    background: PipelineCache<u32>,
    current: Option<(u32, Groups)>,
}

impl Passes {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        Ok(Self {
            gpu: gpu.clone(),
            pixels: ComputePipeline::new(gpu, "shade/classify.comp:pixels", &[])?,
            sky: ComputePipeline::new(gpu, "shade/classify.comp:sky", &[])?,
            background: PipelineCache::default(),
            current: None,
        })
    }

    pub fn groups(&mut self, frame: &mut Frame, room: u32) -> Result<Groups> {
        let current = match self.current.take() {
            Some(current) if current.0 == room => current,
            _ => {
                let bytes = u64::from(PARTS) * u64::from(room) * 4;
                let groups = Buffer::new(&self.gpu, "shade groups", bytes, Memory::Device)?;
                let calls = Buffer::new(&self.gpu, "shade calls", u64::from(PARTS) * 16, Memory::Device)?;
                (room, Groups { groups, calls })
            }
        };
        let groups = current.1.clone();
        self.current = Some(current);
        frame.upload_buffer(&groups.calls, NO_CALL.repeat(PARTS as usize).as_slice())?;
        Ok(groups)
    }

    pub fn pixels<'f>(&self, frame: &'f mut Frame, groups: &Groups) -> Compute<'f> {
        let pass = frame.compute("shade/classify", &self.pixels);
        pass.bind("Groups", &groups.groups).bind("Calls", &groups.calls)
    }

    pub fn sky<'f>(&self, frame: &'f mut Frame, groups: &Groups) -> Compute<'f> {
        let pass = frame.compute("shade/classify sky", &self.sky);
        pass.bind("Groups", &groups.groups).bind("Calls", &groups.calls)
    }

    pub fn background<'f>(&self, frame: &'f mut Frame, groups: &Groups, has_picture: u32) -> Result<Compute<'f>> {
        let pipeline = self.background.get(has_picture, |has_picture| {
            let constants = [("ONLY", PARTS - 1), (SKY_PICTURE, *has_picture)];
            ComputePipeline::new(&self.gpu, "shade/background.comp:groups", &constants)
        })?;
        Ok(frame.compute("shade/background", &pipeline).bind("Groups", &groups.groups))
    }
}
