//! Features of VK_KHR_portability_subset (MoltenVK).
use ash::{khr, vk};
use std::ffi::CStr;

/// All set on any other device.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct PortabilityFeatures(Option<vk::PhysicalDevicePortabilitySubsetFeaturesKHR<'static>>);

// SAFETY: plain data; its pointer of a chain is null.
unsafe impl Send for PortabilityFeatures {}
unsafe impl Sync for PortabilityFeatures {}

impl PortabilityFeatures {
    pub fn query(instance: &ash::Instance, device: vk::PhysicalDevice, has: impl Fn(&CStr) -> bool) -> Self {
        if !has(khr::portability_subset::NAME) {
            return Self(None);
        }
        let mut offered = vk::PhysicalDevicePortabilitySubsetFeaturesKHR::default();
        let mut all = vk::PhysicalDeviceFeatures2::default().push_next(&mut offered);
        // SAFETY: a query about a device of this instance.
        unsafe { instance.get_physical_device_features2(device, &mut all) };
        offered.p_next = std::ptr::null_mut();
        Self(Some(offered))
    }

    pub fn lacking(&self) -> Option<&'static str> {
        let offered = self.0.as_ref()?;
        let needed = [(
            offered.image_view_format_reinterpretation,
            "image views of another format (imageViewFormatReinterpretation of VK_KHR_portability_subset)",
        )];
        needed.into_iter().find(|(offered, _)| *offered == vk::FALSE).map(|(_, what)| what)
    }

    pub fn offered(&self) -> Option<vk::PhysicalDevicePortabilitySubsetFeaturesKHR<'static>> {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::{
        access::{Access, Stages},
        embedded_shaders,
        shader::{Binding, ShaderStage},
    };
    use super::*;

    #[test]
    fn shaders_keep_to_the_limits_of_metal() {
        const BUFFERS_MOST: u32 = 31;
        let mut fragment = 0;
        for name in embedded_shaders::names() {
            let stage = ShaderStage::new(name, embedded_shaders::spirv(name).unwrap()).unwrap();
            let is = |kind| move |binding: &&Binding| binding.kind == kind;
            let of = |kind| stage.bindings.values().filter(is(kind)).map(|binding| binding.count).sum::<u32>();
            let buffers = of(vk::DescriptorType::STORAGE_BUFFER) + of(vk::DescriptorType::UNIFORM_BUFFER);
            assert!(buffers < BUFFERS_MOST, "{name}: {buffers} buffers");
            if stage.stages == Stages::FRAGMENT {
                fragment += 1;
                let writes = |access| matches!(access, Access::Write(_) | Access::ReadWrite(_));
                let written = stage.bindings.iter().find(|(_, binding)| writes(binding.access()));
                assert!(written.is_none(), "{name} writes {}", written.unwrap().0);
            }
        }
        assert!(fragment > 20, "{fragment}");
    }

    #[test]
    fn a_layer_without_views_of_other_formats_is_refused() {
        let layer = |offers: bool| {
            let offered = vk::PhysicalDevicePortabilitySubsetFeaturesKHR::default();
            PortabilityFeatures(Some(offered.image_view_format_reinterpretation(offers)))
        };
        assert!(PortabilityFeatures(None).lacking().is_none() && layer(true).lacking().is_none());
        assert!(layer(false).lacking().is_some_and(|what| what.contains("imageViewFormatReinterpretation")));
        assert!(layer(true).offered().is_some_and(|offered| offered.image_view_format_reinterpretation == vk::TRUE));
    }
}
