//! Uploads, copies, fills, blits and readback, as passes.
use super::{
    access::Access,
    bind::{Resource, ResourceUse},
    buffer::{Buffer, Memory},
    error::{Error, Result},
    frame::Frame,
    image::{Image, ImageView},
};
use ash::vk;
use std::ops::Range;

const READ: vk::ImageLayout = vk::ImageLayout::TRANSFER_SRC_OPTIMAL;
const WRITTEN: vk::ImageLayout = vk::ImageLayout::TRANSFER_DST_OPTIMAL;

#[derive(Clone)]
pub struct ReadBack {
    buffer: Buffer,
    bytes: u64,
    frame: u64,
}

impl ReadBack {
    /// It is read once this frame has ended.
    pub fn frame(&self) -> u64 {
        self.frame
    }

    pub fn read<T: bytemuck::AnyBitPattern>(&self) -> Result<Vec<T>> {
        let count = self.bytes as usize / size_of::<T>().max(1);
        #[cfg(any(test, feature = "fixtures"))]
        if super::garbage::is_on() {
            let mut bytes = vec![0; count * size_of::<T>()];
            super::garbage::spoil(&mut bytes);
            return Ok(bytes.chunks_exact(size_of::<T>().max(1)).map(bytemuck::pod_read_unaligned).collect());
        }
        self.buffer.read(count)
    }
}

fn touch(resource: impl Into<Resource>, how: Access) -> ResourceUse {
    ResourceUse { resource: resource.into(), how }
}

fn whole(view: &ImageView) -> vk::BufferImageCopy {
    let [width, height] = view.size();
    vk::BufferImageCopy::default()
        .image_extent(vk::Extent3D { width, height, depth: 1 })
        .image_subresource(layers(view))
}

fn layers(view: &ImageView) -> vk::ImageSubresourceLayers {
    vk::ImageSubresourceLayers {
        aspect_mask: view.image.format().aspect(),
        mip_level: view.base,
        base_array_layer: 0,
        layer_count: 1,
    }
}

fn bytes_of(view: &ImageView) -> u64 {
    let [width, height] = view.size().map(u64::from);
    width * height * u64::from(view.format.bytes())
}

fn corner(view: &ImageView) -> [vk::Offset3D; 2] {
    let [x, y] = view.size().map(|n| n as i32);
    [vk::Offset3D::default(), vk::Offset3D { x, y, z: 1 }]
}

impl Frame {
    fn transfer(
        &mut self,
        pass: &str,
        from: impl Into<Resource>,
        to: impl Into<Resource>,
        record: impl FnOnce(&ash::Device, vk::CommandBuffer),
    ) -> Result<()> {
        self.pass(pass, &[touch(from, Access::TransferRead), touch(to, Access::TransferWrite)], |gpu, cmd, _| {
            record(&gpu.device, cmd);
            Ok(())
        })
    }

    /// Rows from the top, tightly packed.
    pub fn upload<T: bytemuck::NoUninit>(&mut self, view: &ImageView, texels: &[T]) -> Result<()> {
        let pass = format!("upload/{}", view.image.name());
        let (given, wanted) = (size_of_val(texels) as u64, bytes_of(view));
        if given != wanted {
            let [w, h] = view.size();
            let problem = format!("{given} bytes given, expected {wanted} for {w}x{h} of {:?}", view.format);
            return Err(Error::Pass { pass, problem });
        }
        let staging = self.data("upload", texels)?;
        let (from, to, region) = (staging.0.raw, view.image.0.raw, [whole(view)]);
        self.transfer(&pass, &staging, view, |device, cmd| {
            // SAFETY: the frame keeps both; sizes were checked.
            unsafe { device.cmd_copy_buffer_to_image(cmd, from, to, WRITTEN, &region) };
        })
    }

    pub fn upload_buffer<T: bytemuck::NoUninit>(&mut self, buffer: &Buffer, data: &[T]) -> Result<()> {
        let pass = format!("upload/{}", buffer.0.name);
        let size = size_of_val(data) as u64;
        if size > buffer.size() {
            let problem = format!("{size} bytes given, the buffer has {}", buffer.size());
            return Err(Error::Pass { pass, problem });
        }
        if size == 0 {
            return Ok(());
        }
        let staging = self.data("upload", data)?;
        self.copy_part(pass, &staging, 0..size, buffer, 0)
    }

    pub fn read_image(&mut self, view: &ImageView) -> Result<ReadBack> {
        self.read_parts(view, bytes_of(view), &[whole(view)])
    }

    /// `region`: left, top, width, height.
    pub fn read_region(&mut self, view: &ImageView, region: [u32; 4]) -> Result<ReadBack> {
        let [x, y, width, height] = region;
        let [columns, rows] = view.size();
        let is_within = |first: u32, count: u32, size: u32| count > 0 && first < size && count <= size - first;
        if !is_within(x, width, columns) || !is_within(y, height, rows) {
            let pass = format!("read back/{}", view.image.name());
            let problem = format!("{width}x{height} texels at {x}, {y} of {columns}x{rows}; expected a part of it");
            return Err(Error::Pass { pass, problem });
        }
        let bytes = u64::from(width) * u64::from(height) * u64::from(view.format.bytes());
        let part = whole(view)
            .image_offset(vk::Offset3D { x: x as i32, y: y as i32, z: 0 })
            .image_extent(vk::Extent3D { width, height, depth: 1 });
        self.read_parts(view, bytes, &[part])
    }

    /// One after the other, tightly packed.
    pub fn read_mips(&mut self, image: &Image) -> Result<ReadBack> {
        let (mut bytes, mut parts) = (0, Vec::new());
        for view in (0..image.mips()).map(|level| image.mip(level)) {
            parts.push(whole(&view).buffer_offset(bytes));
            bytes += bytes_of(&view);
        }
        self.read_parts(&image.all(), bytes, &parts)
    }

    fn read_parts(&mut self, view: &ImageView, bytes: u64, parts: &[vk::BufferImageCopy]) -> Result<ReadBack> {
        let buffer = Buffer::new(self.gpu(), "read back", bytes, Memory::ReadBack)?;
        let (from, to) = (view.image.0.raw, buffer.0.raw);
        self.transfer(&format!("read back/{}", view.image.name()), view, &buffer, |device, cmd| {
            // SAFETY: as above; the parts are within the levels.
            unsafe { device.cmd_copy_image_to_buffer(cmd, from, READ, to, parts) };
        })?;
        self.read_back(buffer, bytes)
    }

    pub fn read_buffer(&mut self, from: &Buffer) -> Result<ReadBack> {
        self.read_beginning(from, from.size())
    }

    /// The first `bytes`, or all if it has fewer.
    pub fn read_beginning(&mut self, from: &Buffer, bytes: u64) -> Result<ReadBack> {
        self.read_range(&format!("read back/{}", from.0.name), from, 0..bytes.min(from.size()))
    }

    pub(super) fn read_range(&mut self, pass: &str, from: &Buffer, range: Range<u64>) -> Result<ReadBack> {
        let bytes = range.end - range.start;
        let buffer = Buffer::new(self.gpu(), "read back", bytes, Memory::ReadBack)?;
        if bytes == 0 {
            return Ok(ReadBack { buffer, bytes, frame: self.number() });
        }
        self.copy_part(pass, from, range, &buffer, 0)?;
        self.read_back(buffer, bytes)
    }

    fn read_back(&mut self, buffer: Buffer, bytes: u64) -> Result<ReadBack> {
        self.pass("read back/host", &[touch(&buffer, Access::HostRead)], |_, _, _| Ok(()))?;
        Ok(ReadBack { buffer, bytes, frame: self.number() })
    }

    pub fn copy_buffer(&mut self, name: impl AsRef<str>, from: &Buffer, to: &Buffer) -> Result<()> {
        self.copy_part(name, from, 0..from.size(), to, 0)
    }

    pub fn copy_part(
        &mut self,
        name: impl AsRef<str>,
        from: &Buffer,
        bytes: Range<u64>,
        to: &Buffer,
        at: u64,
    ) -> Result<()> {
        let count = bytes.end.saturating_sub(bytes.start);
        if bytes.end > from.size() || at.saturating_add(count) > to.size() {
            let problem =
                format!("{count} bytes at {} of {} do not fit into {} at {at}", bytes.start, from.size(), to.size());
            return Err(Error::Pass { pass: name.as_ref().into(), problem });
        }
        let region = [vk::BufferCopy::default().src_offset(bytes.start).dst_offset(at).size(count)];
        let (source, target) = (from.0.raw, to.0.raw);
        self.transfer(name.as_ref(), from, to, |device, cmd| {
            // SAFETY: as above.
            unsafe { device.cmd_copy_buffer(cmd, source, target, &region) };
        })
    }

    pub fn fill(&mut self, name: impl AsRef<str>, buffer: &Buffer, word: u32) -> Result<()> {
        let raw = buffer.0.raw;
        self.pass(name.as_ref(), &[touch(buffer, Access::TransferWrite)], |gpu, cmd, _| {
            // SAFETY: as above.
            unsafe { gpu.device.cmd_fill_buffer(cmd, raw, 0, vk::WHOLE_SIZE, word) };
            Ok(())
        })
    }

    pub fn clear(&mut self, name: impl AsRef<str>, view: &ImageView, value: [f32; 4]) -> Result<()> {
        let (raw, range) = (view.image.0.raw, [view.range()]);
        self.pass(name.as_ref(), &[touch(view, Access::TransferWrite)], |gpu, cmd, _| {
            let value = vk::ClearColorValue { float32: value };
            // SAFETY: as above.
            unsafe { gpu.device.cmd_clear_color_image(cmd, raw, WRITTEN, &value, &range) };
            Ok(())
        })
    }

    pub fn copy(&mut self, name: &str, from: &ImageView, to: &ImageView) -> Result<()> {
        if from.size() != to.size() {
            let problem = format!("{:?} and {:?} differ in size", from.size(), to.size());
            return Err(Error::Pass { pass: name.into(), problem });
        }
        self.copy_to(name, from, to, [0, 0])
    }

    pub fn copy_to(&mut self, name: &str, from: &ImageView, to: &ImageView, [left, top]: [u32; 2]) -> Result<()> {
        let ([width, height], whole) = (from.size(), to.size());
        let fits = left + width <= whole[0] && top + height <= whole[1];
        if !fits || from.image.format().bytes() != to.image.format().bytes() {
            let problem = format!("{width}x{height} at {left}, {top} do not fit into {whole:?}, or texel sizes differ");
            return Err(Error::Pass { pass: name.into(), problem });
        }
        let region = [vk::ImageCopy::default()
            .src_subresource(layers(from))
            .dst_subresource(layers(to))
            .dst_offset(vk::Offset3D { x: left as i32, y: top as i32, z: 0 })
            .extent(vk::Extent3D { width, height, depth: 1 })];
        let (source, target) = (from.image.0.raw, to.image.0.raw);
        self.transfer(name, from, to, |device, cmd| {
            // SAFETY: as above.
            unsafe { device.cmd_copy_image(cmd, source, READ, target, WRITTEN, &region) };
        })
    }

    /// Rows from `first` on, as if the upper border of the source followed its lower one.
    pub fn copy_rows(&mut self, name: &str, source: &ImageView, first: u32, to: &ImageView) -> Result<()> {
        let ([width, height], [columns, rows]) = (source.size(), to.size());
        let is_same = width == columns && source.image.format().bytes() == to.image.format().bytes();
        if !is_same || first >= height {
            let problem = format!("{columns}x{rows} from row {first} of {width}x{height}, or texel sizes differ");
            return Err(Error::Pass { pass: name.into(), problem });
        }
        let (mut regions, mut done) = (Vec::new(), 0);
        while done < rows {
            let y = (first + done) % height;
            let count = (height - y).min(rows - done);
            regions.push(
                vk::ImageCopy::default()
                    .src_subresource(layers(source))
                    .dst_subresource(layers(to))
                    .src_offset(vk::Offset3D { x: 0, y: y as i32, z: 0 })
                    .dst_offset(vk::Offset3D { x: 0, y: done as i32, z: 0 })
                    .extent(vk::Extent3D { width, height: count, depth: 1 }),
            );
            done += count;
        }
        let (read, written) = (source.image.0.raw, to.image.0.raw);
        self.transfer(name, source, to, |device, cmd| {
            // SAFETY: as above.
            unsafe { device.cmd_copy_image(cmd, read, READ, written, WRITTEN, &regions) };
        })
    }

    pub fn blit(&mut self, name: &str, from: &ImageView, to: &ImageView) -> Result<()> {
        let region = [vk::ImageBlit::default()
            .src_subresource(layers(from))
            .dst_subresource(layers(to))
            .src_offsets(corner(from))
            .dst_offsets(corner(to))];
        let (source, target) = (from.image.0.raw, to.image.0.raw);
        self.transfer(name, from, to, |device, cmd| {
            // SAFETY: as above.
            unsafe { device.cmd_blit_image(cmd, source, READ, target, WRITTEN, &region, vk::Filter::LINEAR) };
        })
    }
}
