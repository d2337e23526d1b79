//! egui's textures, uploaded by frames that draw them.

use super::{
    Format, Gpu, Image, ImageDesc, Use,
    access::{Access, Stages},
    bind::Resource,
    egui::failed,
    error::{Context, Error, Result},
    frame::Frame,
    sampler::Sampler,
};
use ash::vk;
use egui::{
    ClippedPrimitive, ColorImage, TextureId, TextureOptions, TexturesDelta,
    epaint::{ImageDelta, Primitive},
};
use egui_ash_renderer::{
    Renderer,
    allocator::Allocator,
    vulkan::{create_vulkan_descriptor_pool, create_vulkan_descriptor_set, create_vulkan_descriptor_set_layout},
};
use std::{collections::HashMap, sync::Arc};

/// Each picture of a view, a preset or a scene is one.
const MOST: u32 = 256;

/// egui announces each change once: those of a dropped frame belong to the next one.
#[derive(Default)]
pub struct TextureChanges(TexturesDelta);

impl TextureChanges {
    pub fn append(&mut self, mut newer: Self) {
        self.0.append(std::mem::take(&mut newer.0));
    }
}

impl From<TexturesDelta> for TextureChanges {
    fn from(changes: TexturesDelta) -> Self {
        Self(changes)
    }
}

impl Drop for TextureChanges {
    fn drop(&mut self) {
        // egui's own type panics about what is left, in builds for development.
        self.0.clear();
    }
}

struct SetPool {
    pool: vk::DescriptorPool,
    layout: vk::DescriptorSetLayout,
    gpu: Arc<Gpu>,
}

impl SetPool {
    fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let layout = create_vulkan_descriptor_set_layout(&gpu.device).map_err(failed)?;
        let mut made = Self { pool: vk::DescriptorPool::null(), layout, gpu: gpu.clone() };
        made.pool = create_vulkan_descriptor_pool(&gpu.device, MOST).map_err(failed)?;
        gpu.name(made.pool, "ui textures");
        Ok(made)
    }
}

impl Drop for SetPool {
    fn drop(&mut self) {
        // SAFETY: no frame has a set of it.
        unsafe {
            self.gpu.device.destroy_descriptor_pool(self.pool, None);
            self.gpu.device.destroy_descriptor_set_layout(self.layout, None);
        }
    }
}

struct TextureSet {
    set: vk::DescriptorSet,
    pool: Arc<SetPool>,
}

impl Drop for TextureSet {
    fn drop(&mut self) {
        // SAFETY: no frame uses it. The pool allows it.
        let freed = unsafe { self.pool.gpu.device.free_descriptor_sets(self.pool.pool, &[self.set]) };
        if let Err(error) = freed.context("vkFreeDescriptorSets") {
            log::error!("{error}");
        }
    }
}

struct Texture {
    image: Image,
    set: Arc<TextureSet>,
    user: TextureId,
}

pub(super) struct Textures {
    whole: HashMap<TextureId, ColorImage>,
    made: HashMap<TextureId, Texture>,
    unused: Vec<TextureId>,
    pool: Arc<SetPool>,
}

impl Textures {
    pub fn new(gpu: &Arc<Gpu>) -> Result<Self> {
        let pool = Arc::new(SetPool::new(gpu)?);
        Ok(Self { whole: HashMap::new(), made: HashMap::new(), unused: Vec::new(), pool })
    }

    pub fn update<A: Allocator>(
        &mut self,
        frame: &mut Frame,
        renderer: &mut Renderer<A>,
        mut changes: TextureChanges,
    ) -> Result<bool> {
        let has_changed = !self.unused.is_empty() || !changes.0.set.is_empty();
        for id in self.unused.drain(..) {
            self.whole.remove(&id);
            self.made.remove(&id).into_iter().for_each(|texture| renderer.remove_user_texture(texture.user));
        }
        for (id, deltas) in changes.0.set.drain() {
            for delta in deltas {
                merge(&mut self.whole, id, &delta)?;
            }
            let Some(whole) = self.whole.get(&id) else { continue };
            let size = whole.size.map(|size| size as u32);
            let texels: Vec<[u8; 4]> = whole.pixels.iter().map(|pixel| pixel.to_array()).collect();
            if self.made.get(&id).is_none_or(|texture| texture.image.size() != size) {
                self.make(renderer, id, size)?;
            }
            if let Some(texture) = self.made.get(&id) {
                frame.upload(&texture.image.mip(0), &texels)?;
            }
        }
        self.unused.extend(changes.0.free.drain());
        Ok(has_changed)
    }

    pub fn take(&mut self) -> TextureChanges {
        let mut all = TextureChanges::default();
        let used = self.whole.drain().filter(|(id, _)| !self.unused.contains(id));
        used.for_each(|(id, image)| all.0.push(id, ImageDelta::full(image, TextureOptions::LINEAR)));
        all
    }

    fn make<A: Allocator>(&mut self, renderer: &mut Renderer<A>, id: TextureId, size: [u32; 2]) -> Result<()> {
        let (pool, gpu) = (self.pool.clone(), &self.pool.gpu);
        let image = Image::new(gpu, ImageDesc::new("ui texture", size, Format::Rgba8Srgb, &[Use::Sample]))?;
        let (view, sampler) = (image.mip(0).raw()?, gpu.samplers.raw(Sampler::LinearClamp));
        let set = create_vulkan_descriptor_set(&gpu.device, pool.layout, pool.pool, view, sampler).map_err(failed)?;
        let user = renderer.add_user_texture(set);
        let texture = Texture { image, set: Arc::new(TextureSet { set, pool }), user };
        if let Some(old) = self.made.insert(id, texture) {
            renderer.remove_user_texture(old.user);
        }
        Ok(())
    }

    pub fn add_to<A: Allocator>(&mut self, renderer: &mut Renderer<A>) {
        for texture in self.made.values_mut() {
            texture.user = renderer.add_user_texture(texture.set.set);
        }
    }

    pub fn rename(&self, primitives: &mut [ClippedPrimitive]) {
        for primitive in primitives {
            if let Primitive::Mesh(mesh) = &mut primitive.primitive
                && let Some(texture) = self.made.get(&mesh.texture_id)
            {
                mesh.texture_id = texture.user;
            }
        }
    }

    pub fn touches(&self, frame: &mut Frame) -> Vec<(Resource, Access)> {
        let touch = |texture: &Texture| {
            frame.keep(texture.set.clone());
            (Resource::from(&texture.image.mip(0)), Access::Sample(Stages::FRAGMENT))
        };
        self.made.values().map(touch).collect()
    }
}

fn merge(whole: &mut HashMap<TextureId, ColorImage>, id: TextureId, delta: &ImageDelta) -> Result<()> {
    let egui::ImageData::Color(part) = &delta.image;
    let Some([x, y]) = delta.pos else {
        whole.insert(id, (**part).clone());
        return Ok(());
    };
    let misplaced = || Error::Pass { pass: "ui".into(), problem: "a part of a texture is outside it".into() };
    let whole = whole.get_mut(&id).ok_or_else(misplaced)?;
    let [width, height] = whole.size;
    if x + part.width() > width || y + part.height() > height {
        return Err(misplaced());
    }
    for row in 0..part.height() {
        let from = row * part.width();
        let to = (y + row) * width + x;
        whole.pixels[to..to + part.width()].copy_from_slice(&part.pixels[from..from + part.width()]);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::Color32;

    #[test]
    fn parts_are_laid_over_the_whole() {
        let mut whole = HashMap::new();
        let id = TextureId::Managed(0);
        let options = TextureOptions::LINEAR;
        merge(&mut whole, id, &ImageDelta::full(ColorImage::filled([3, 2], Color32::BLACK), options)).unwrap();
        let part = ColorImage::filled([2, 1], Color32::WHITE);
        merge(&mut whole, id, &ImageDelta::partial([1, 1], part.clone(), options)).unwrap();
        let white: Vec<bool> = whole[&id].pixels.iter().map(|pixel| *pixel == Color32::WHITE).collect();
        assert_eq!(white, [false, false, false, false, true, true]);
        assert!(merge(&mut whole, id, &ImageDelta::partial([2, 1], part.clone(), options)).is_err());
        assert!(merge(&mut whole, TextureId::Managed(5), &ImageDelta::partial([0, 0], part, options)).is_err());
    }
}
