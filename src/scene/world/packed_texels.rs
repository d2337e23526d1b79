//! Packed textures of a material, decoded and interleaved by texel: one lookup of sixteen bytes instead of four textures.

use super::{ALIKE, LAMPS, Material, MaterialKind, NO_TEXTURE, SECOND_UV, TILED, Texture, World};
use base::srgb;
use std::collections::HashMap;

/// 512 MiB of records.
const MOST: usize = 1 << 25;

/// Square roots: 11, 11 and 10 bits.
fn packed_color(linear: [f32; 3]) -> u32 {
    let [r, g, b] = linear.map(f32::sqrt);
    (r * 2047.0).round() as u32 | ((g * 2047.0).round() as u32) << 11 | ((b * 1023.0).round() as u32) << 22
}

impl World {
    /// Sets the materials' offsets. Nothing is packed if a material's textures differ in size, border or mapping, have
    /// the wrong encoding, or need too much memory.
    pub(super) fn paint(&mut self) {
        self.textures.paint.clear();
        if !self.materials.iter().all(|material| self.is_alike(material)) {
            return;
        }
        let (mut paint, mut known) = (Vec::new(), HashMap::new());
        let decoded: Vec<f32> = (0..256).map(|byte| srgb::decode(byte as f32 / 255.0)).collect();
        for i in 0..self.materials.len() {
            let slots = self.materials[i].textures;
            let textures = slots.map(|slot| self.textures.layouts.get(slot as usize).copied());
            let Some(shape) = textures.iter().flatten().next() else { continue };
            let first = match known.get(&slots) {
                Some(first) => *first,
                None => {
                    let (first, count) = (paint.len(), shape.texels());
                    if first + count > MOST {
                        return;
                    }
                    let word = |slot: usize, i: usize| match textures[slot] {
                        Some(texture) => self.textures.texels[texture.first as usize + i],
                        None => u32::MAX,
                    };
                    let color = |bits: u32| packed_color([0, 8, 16].map(|at| decoded[(bits >> at & 255) as usize]));
                    let record = |i: usize| {
                        let (base, rough_metallic) = (word(0, i), word(1, i));
                        let bump_alpha = word(2, i) & 0xFF_FFFF | base & 0xFF00_0000;
                        [color(base), bump_alpha, rough_metallic >> 8 & 0xFFFF, color(word(3, i))]
                    };
                    paint.extend((0..count).map(record));
                    known.insert(slots, first as u32);
                    first as u32
                }
            };
            self.materials[i].paint = first;
        }
        self.textures.paint = paint;
    }

    fn is_alike(&self, material: &Material) -> bool {
        let shape = |t: &Texture| [t.width, t.height, t.levels, t.wrap];
        let slots = (0..).zip(&material.textures).filter(|(_, index)| **index != NO_TEXTURE);
        let mut textures = slots.map(|(slot, index)| (slot, self.textures.layouts.get(*index as usize)));
        let Some((_, first)) = textures.clone().next() else { return true };
        material.flags < SECOND_UV
            && textures.all(|(slot, texture)| {
                let encoded = u32::from(slot == 0 || slot == 3);
                texture.map(shape) == first.map(shape) && texture.is_some_and(|texture| texture.srgb == encoded)
            })
    }

    /// With [`TRAITS`](super::TRAITS). An unknown kind is shaded as a plain one.
    pub fn kinds(&self) -> u32 {
        let bit = |kind: u32| 1 << if kind < MaterialKind::ALL.len() as u32 { kind } else { 0 };
        let alike = if self.textures.paint.is_empty() { 0 } else { ALIKE };
        let lamps = if self.lamps.is_empty() { 0 } else { LAMPS };
        let tiled = if self.textures.layouts.iter().all(Texture::is_tiled) { TILED } else { 0 };
        self.materials.iter().fold(alike | lamps | tiled, |kinds, material| kinds | bit(material.kind))
    }
}

impl Texture {
    fn is_tiled(&self) -> bool {
        let [width, height] = [self.width, self.height];
        width == height && width.is_power_of_two() && self.levels <= width.ilog2() + 1 && self.wrap == 0
    }

    fn texels(&self) -> usize {
        let side = |n: u32, level: u32| (n >> level).max(1) as usize;
        (0..self.levels).map(|level| side(self.width, level) * side(self.height, level)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Builder, Viewpoint};
    use super::*;

    fn color_of(bits: u32) -> [f32; 3] {
        let root = [(bits & 2047) as f32 / 2047.0, (bits >> 11 & 2047) as f32 / 2047.0, (bits >> 22) as f32 / 1023.0];
        root.map(|root| root * root)
    }

    #[test]
    fn colours_keep_their_bytes_apart() {
        let linear = |byte: u32| srgb::decode(byte as f32 / 255.0);
        for byte in 0..=255 {
            let found = color_of(packed_color([linear(byte); 3]));
            for (found, part) in found.into_iter().zip([0.12, 0.12, 0.25]) {
                let step = linear(byte.max(1)) - linear(byte.max(1) - 1);
                assert!((found - linear(byte)).abs() <= part * step, "{byte}: {found} for {}", linear(byte));
            }
        }
    }

    fn world(widths: [u32; 4], srgb: [u32; 4], flags: u32) -> World {
        let mut builder = Builder::new();
        let textures = std::array::from_fn(|slot| {
            let texture = Texture { first: 0, width: widths[slot], height: 4, levels: 1, srgb: srgb[slot], wrap: 0 };
            let texels: Vec<u32> = (0..widths[slot] * 4).map(|i| 0x8000_0000 | (slot as u32) << 8 | i).collect();
            builder.texture(texture, &texels).expect("as many texels as it needs")
        });
        let two = Material { textures: [textures[0], NO_TEXTURE, textures[2], NO_TEXTURE], ..Material::default() };
        for material in [two, Material { textures, flags, ..two }, Material { textures, ..two }] {
            builder.material(material);
        }
        builder.finish(Viewpoint::default())
    }

    #[test]
    fn textures_of_one_layout_are_interleaved() {
        let made = world([8; 4], [1, 0, 0, 1], 0);
        assert_ne!(made.kinds() & ALIKE, 0);
        assert_eq!(made.materials.iter().map(|material| material.paint).collect::<Vec<_>>(), [0, 32, 32]);
        assert_eq!(made.textures.paint.len(), 64);
        let white = packed_color([1.0; 3]);
        assert_eq!(made.textures.paint[5][1..], [0x8000_0205, 0xFFFF, white], "what is missing is white");
        assert_eq!(made.textures.paint[32 + 7][1..3], [0x8000_0207, 0x01]);
        assert_eq!(
            color_of(made.textures.paint[32 + 7][3])[1],
            color_of(packed_color([srgb::decode(3.0 / 255.0); 3]))[1]
        );
        for other in [
            world([8, 8, 4, 8], [1, 0, 0, 1], 0),
            world([8; 4], [1, 1, 0, 1], 0),
            world([8; 4], [1, 0, 0, 0], 0),
            world([8; 4], [1, 0, 0, 1], SECOND_UV << 1),
        ] {
            assert_eq!((other.kinds() & ALIKE, other.textures.paint.len()), (0, 0));
        }
        assert_eq!(made.kinds() & TILED, 0, "8x4 texels are no square");
        assert_ne!(world([4; 4], [1, 0, 0, 1], 0).kinds() & TILED, 0);
        assert_eq!(world([4, 4, 4, 5], [1, 0, 0, 1], 0).kinds() & TILED, 0);
    }
}
