//! Pipeline cache on disk, for drivers without one.
use ash::vk;
use base::file::{read_bounded, write_atomically};
use std::{
    fs,
    path::{Path, PathBuf},
};

const MOST_BYTES: usize = 64 << 20;
const MOST_FILES: usize = 4;
const MAGIC: &[u8; 8] = b"meniscus";
const HEAD: usize = 24;
/// VkPipelineCacheHeaderVersionOne: length, version, vendor, device, UUID.
const VULKAN_HEAD: usize = 32;

pub(super) struct PipelinesKept {
    file: PathBuf,
    head: [u8; VULKAN_HEAD],
    pub read: Vec<u8>,
}

/// FNV-1a: drivers do not check damaged data.
fn checksum(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |sum, byte| (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

impl PipelinesKept {
    pub fn open(folder: &Path, device: &vk::PhysicalDeviceProperties) -> Self {
        let mut head = [0; VULKAN_HEAD];
        let words = [
            VULKAN_HEAD as u32,
            vk::PipelineCacheHeaderVersion::ONE.as_raw() as u32,
            device.vendor_id,
            device.device_id,
        ];
        for (bytes, word) in head.chunks_exact_mut(4).zip(words) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        head[16..].copy_from_slice(&device.pipeline_cache_uuid);
        let uuid: String = device.pipeline_cache_uuid.iter().map(|byte| format!("{byte:02x}")).collect();
        let file = folder.join(format!("pipelines-{:04x}-{:04x}-{uuid}.bin", device.vendor_id, device.device_id));
        let mut kept = Self { file, head, read: Vec::new() };
        kept.read = kept.load().unwrap_or_default();
        kept
    }

    fn load(&self) -> Option<Vec<u8>> {
        let mut bytes = read_bounded(&self.file, (MOST_BYTES + HEAD) as u64, "").ok()?;
        let field = |bytes: &[u8], at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        let (length, sum) = (field(&bytes, 8)?, field(&bytes, 16)?);
        let is_whole =
            bytes.starts_with(MAGIC) && length == (bytes.len() - HEAD) as u64 && sum == checksum(&bytes[HEAD..]);
        let data = bytes.split_off(HEAD);
        (is_whole && data.starts_with(&self.head)).then_some(data)
    }

    pub fn keep(&self, data: &[u8]) {
        if data.len() <= VULKAN_HEAD.max(self.read.len()) || data.len() > MOST_BYTES || !data.starts_with(&self.head) {
            return;
        }
        let head = [MAGIC.as_slice(), &(data.len() as u64).to_le_bytes(), &checksum(data).to_le_bytes()].concat();
        let folder = self.file.parent().unwrap_or(Path::new("."));
        let kept = fs::create_dir_all(folder).map_err(anyhow::Error::from);
        if let Err(error) = kept.and_then(|()| write_atomically(&self.file, &[&head, data].concat())) {
            log::info!("compiled pipelines are not kept: {error:#}");
            return;
        }
        let files = fs::read_dir(folder).into_iter().flatten().flatten().filter(|entry| {
            let name = entry.file_name().to_string_lossy().into_owned();
            name.starts_with("pipelines-") && name.ends_with(".bin")
        });
        let mut by_age: Vec<_> =
            files.filter_map(|entry| Some((entry.metadata().ok()?.modified().ok()?, entry.path()))).collect();
        by_age.sort();
        let surplus = by_age.len().saturating_sub(MOST_FILES);
        for (_, file) in by_age.into_iter().filter(|(_, file)| *file != self.file).take(surplus) {
            let _ = fs::remove_file(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::fixtures::Folder;

    fn device(id: u32) -> vk::PhysicalDeviceProperties {
        vk::PhysicalDeviceProperties {
            vendor_id: 0x10de,
            device_id: id,
            pipeline_cache_uuid: [7; 16],
            ..Default::default()
        }
    }

    fn data(kept: &PipelinesKept, more: usize) -> Vec<u8> {
        [kept.head.as_slice(), &vec![9; more]].concat()
    }

    #[test]
    fn caches_are_restored_for_the_same_device_only() {
        let folder = Folder::new("pipelines");
        let kept = PipelinesKept::open(&folder.0.join("made"), &device(1));
        assert!(kept.read.is_empty());
        kept.keep(&data(&kept, 0));
        assert!(!kept.file.exists(), "a head is nothing");
        kept.keep(&data(&kept, 100));
        let again = PipelinesKept::open(&folder.0.join("made"), &device(1));
        assert_eq!(again.read, data(&kept, 100));
        let before = fs::metadata(&kept.file).unwrap().modified().unwrap();
        again.keep(&data(&kept, 100));
        assert_eq!(fs::metadata(&kept.file).unwrap().modified().unwrap(), before, "nothing new");
        let other = PipelinesKept::open(&folder.0.join("made"), &device(2));
        assert!(other.read.is_empty());
        fs::copy(&kept.file, &other.file).unwrap();
        assert!(PipelinesKept::open(&folder.0.join("made"), &device(2)).read.is_empty(), "another device's");
    }

    #[test]
    fn damaged_files_are_nothing_and_files_are_few() {
        let folder = Folder::new("pipelines-broken");
        let kept = PipelinesKept::open(&folder.0, &device(1));
        kept.keep(&data(&kept, 100));
        let whole = fs::read(&kept.file).unwrap();
        for at in 0..whole.len() {
            let mut broken = whole.clone();
            broken[at] ^= 1;
            fs::write(&kept.file, &broken).unwrap();
            assert!(PipelinesKept::open(&folder.0, &device(1)).read.is_empty(), "byte {at}");
            fs::write(&kept.file, &whole[..at]).unwrap();
            assert!(PipelinesKept::open(&folder.0, &device(1)).read.is_empty(), "{at} bytes");
        }
        for id in 2..9 {
            let kept = PipelinesKept::open(&folder.0, &device(id));
            kept.keep(&data(&kept, 100));
            assert!(kept.file.exists());
        }
        assert_eq!(fs::read_dir(&folder.0).unwrap().count(), MOST_FILES);
    }
}
