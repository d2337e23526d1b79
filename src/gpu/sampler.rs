//! Samplers; each device creates all of them once.
use super::error::{Context, Result};
use ash::vk;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Sampler {
    #[default]
    LinearClamp,
    LinearMirror,
    LinearRepeat,
    NearestClamp,
}

const ALL: [Sampler; 4] = [Sampler::LinearClamp, Sampler::LinearMirror, Sampler::LinearRepeat, Sampler::NearestClamp];

#[derive(Default)]
pub(super) struct Samplers([vk::Sampler; 4]);

impl Samplers {
    pub fn create(&mut self, device: &ash::Device) -> Result<()> {
        for (slot, sampler) in self.0.iter_mut().zip(ALL) {
            let (filter, mip) = match sampler {
                Sampler::NearestClamp => (vk::Filter::NEAREST, vk::SamplerMipmapMode::NEAREST),
                _ => (vk::Filter::LINEAR, vk::SamplerMipmapMode::LINEAR),
            };
            let border = match sampler {
                Sampler::LinearMirror => vk::SamplerAddressMode::MIRRORED_REPEAT,
                Sampler::LinearRepeat => vk::SamplerAddressMode::REPEAT,
                _ => vk::SamplerAddressMode::CLAMP_TO_EDGE,
            };
            let info = vk::SamplerCreateInfo::default()
                .mag_filter(filter)
                .min_filter(filter)
                .mipmap_mode(mip)
                .address_mode_u(border)
                .address_mode_v(border)
                .address_mode_w(border)
                .max_lod(vk::LOD_CLAMP_NONE);
            // SAFETY: the device is alive.
            *slot = unsafe { device.create_sampler(&info, None) }.context("vkCreateSampler")?;
        }
        Ok(())
    }

    pub fn raw(&self, sampler: Sampler) -> vk::Sampler {
        self.0[sampler as usize]
    }

    /// # Safety
    /// The device must be idle.
    pub unsafe fn destroy(&self, device: &ash::Device) {
        for sampler in self.0 {
            // SAFETY: the caller guarantees that nothing uses it.
            unsafe { device.destroy_sampler(sampler, None) };
        }
    }
}
