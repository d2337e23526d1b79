//! Driver report of a lost device (VK_KHR_ and VK_EXT_device_fault).
use ash::{ext, vk};
use std::{
    ffi::{CStr, c_char, c_void},
    fmt::Write as _,
    sync::OnceLock,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FaultExtension {
    Khr,
    Ext,
}

/// ash 0.38 lacks the KHR structures.
#[repr(C)]
pub(super) struct FaultFeatures {
    s_type: vk::StructureType,
    p_next: *mut c_void,
    device_fault: vk::Bool32,
    vendor_binary: vk::Bool32,
    report_masked: vk::Bool32,
    lost_on_masked: vk::Bool32,
}

// SAFETY: the specification allows VkPhysicalDeviceFaultFeaturesKHR in both chains.
unsafe impl vk::ExtendsDeviceCreateInfo for FaultFeatures {}
unsafe impl vk::ExtendsPhysicalDeviceFeatures2 for FaultFeatures {}

impl FaultFeatures {
    pub fn new(device_fault: bool) -> Self {
        Self {
            s_type: vk::StructureType::from_raw(1_000_573_000),
            p_next: std::ptr::null_mut(),
            device_fault: device_fault.into(),
            vendor_binary: vk::FALSE,
            report_masked: vk::FALSE,
            lost_on_masked: vk::FALSE,
        }
    }
}

type Address = vk::DeviceFaultAddressInfoEXT;
type Vendor = vk::DeviceFaultVendorInfoEXT;

#[repr(C)]
#[derive(Clone, Copy)]
struct FaultInfo {
    s_type: vk::StructureType,
    p_next: *mut c_void,
    flags: u32,
    group: u64,
    description: [c_char; vk::MAX_DESCRIPTION_SIZE],
    memory: Address,
    instruction: Address,
    vendor: Vendor,
}

const HAS_MEMORY: u32 = 0x2;
const HAS_INSTRUCTION: u32 = 0x4;
const HAS_VENDOR: u32 = 0x8;
const IS_TIMEOUT: u32 = 0x10;
const IS_OVERFLOW: u32 = 0x20;

type GetReports = unsafe extern "system" fn(vk::Device, u64, *mut u32, *mut FaultInfo) -> vk::Result;

impl FaultExtension {
    pub fn find(instance: &ash::Instance, device: vk::PhysicalDevice, has: impl Fn(&CStr) -> bool) -> Option<Self> {
        let (mut khr, mut ext) = (FaultFeatures::new(false), vk::PhysicalDeviceFaultFeaturesEXT::default());
        let names = [Self::Khr, Self::Ext].map(|extension| has(extension.name()));
        let mut all = vk::PhysicalDeviceFeatures2::default();
        if names[0] {
            all = all.push_next(&mut khr);
        }
        if names[1] {
            all = all.push_next(&mut ext);
        }
        // SAFETY: a query about a device of this instance; its structures are of offered extensions.
        unsafe { instance.get_physical_device_features2(device, &mut all) };
        if khr.device_fault == vk::TRUE { Some(Self::Khr) } else { (ext.device_fault == vk::TRUE).then_some(Self::Ext) }
    }

    pub fn name(self) -> &'static CStr {
        match self {
            Self::Khr => c"VK_KHR_device_fault",
            Self::Ext => ext::device_fault::NAME,
        }
    }
}

enum Source {
    Khr(GetReports),
    Ext(vk::PFN_vkGetDeviceFaultInfoEXT),
    None,
}

pub(super) struct FaultReports {
    source: Source,
    text: OnceLock<String>,
}

const ENTRIES_MOST: usize = 32;
/// Nanoseconds.
const WAIT_NS: u64 = 200_000_000;

impl FaultReports {
    pub fn new(extension: Option<FaultExtension>, instance: &ash::Instance, device: &ash::Device) -> Self {
        let source = match extension {
            Some(FaultExtension::Khr) => {
                let name = c"vkGetDeviceFaultReportsKHR";
                // SAFETY: the device is alive, and the command has this signature.
                let found = unsafe { instance.get_device_proc_addr(device.handle(), name.as_ptr()) };
                found.map_or(Source::None, |command| {
                    Source::Khr(unsafe { std::mem::transmute::<unsafe extern "system" fn(), GetReports>(command) })
                })
            }
            Some(FaultExtension::Ext) => {
                Source::Ext(ext::device_fault::Device::new(instance, device).fp().get_device_fault_info_ext)
            }
            None => Source::None,
        };
        Self { source, text: OnceLock::new() }
    }

    pub fn text(&self, device: vk::Device) -> String {
        let made = || match self.source {
            Source::Khr(command) => reports(command, device),
            Source::Ext(command) => info(command, device),
            Source::None => "The driver reports no faults (no VK_KHR_device_fault, no VK_EXT_device_fault).".into(),
        };
        self.text.get_or_init(made).clone()
    }
}

fn reports(command: GetReports, device: vk::Device) -> String {
    // SAFETY: plain data, for which zeros are valid.
    let mut infos = [unsafe { std::mem::zeroed::<FaultInfo>() }; ENTRIES_MOST];
    infos.iter_mut().for_each(|info| info.s_type = vk::StructureType::from_raw(1_000_573_002));
    let mut count = ENTRIES_MOST as u32;
    // SAFETY: the device is alive, and `infos` has room for `count`.
    let result = unsafe { command(device, WAIT_NS, &raw mut count, infos.as_mut_ptr()) };
    let mut text = format!("Faults by VK_KHR_device_fault ({result}):");
    let found = infos.iter().take(if result.as_raw() < 0 { 0 } else { count as usize });
    for FaultInfo { flags, group, description, memory, instruction, vendor, .. } in found {
        let _ = write!(text, "\n- group {group}: {}", line(description));
        for (flag, sentence) in [
            (IS_TIMEOUT, "\n  the driver's time limit was exceeded"),
            (IS_OVERFLOW, "\n  further faults were not recorded"),
        ] {
            text.push_str(if flags & flag != 0 { sentence } else { "" });
        }
        for (flag, address) in [(HAS_MEMORY, memory), (HAS_INSTRUCTION, instruction)] {
            if flags & flag != 0 {
                text.push_str(&address_line(address));
            }
        }
        if flags & HAS_VENDOR != 0 {
            text.push_str(&vendor_line(vendor));
        }
    }
    text
}

fn info(command: vk::PFN_vkGetDeviceFaultInfoEXT, device: vk::Device) -> String {
    let mut counts = vk::DeviceFaultCountsEXT::default();
    // SAFETY: the device is alive; a null pointer requests the counts.
    let counted = unsafe { command(device, &raw mut counts, std::ptr::null_mut()) };
    let most = |count: u32| if counted.as_raw() < 0 { 0 } else { count.min(ENTRIES_MOST as u32) };
    let counts = [most(counts.address_info_count), most(counts.vendor_info_count)];
    let mut addresses = vec![Address::default(); counts[0] as usize];
    let mut vendors = vec![Vendor::default(); counts[1] as usize];
    // The driver's dump is for its vendor's tools only.
    let mut room = vk::DeviceFaultCountsEXT {
        address_info_count: counts[0],
        vendor_info_count: counts[1],
        vendor_binary_size: 0,
        ..Default::default()
    };
    let mut info = vk::DeviceFaultInfoEXT {
        p_address_infos: if addresses.is_empty() { std::ptr::null_mut() } else { addresses.as_mut_ptr() },
        p_vendor_infos: if vendors.is_empty() { std::ptr::null_mut() } else { vendors.as_mut_ptr() },
        ..Default::default()
    };
    // SAFETY: the device is alive, and both lists have room for their counts.
    let result = unsafe { command(device, &raw mut room, &raw mut info) };
    let mut text = format!("Fault by VK_EXT_device_fault ({result}): {}", line(&info.description));
    if result.as_raw() >= 0 {
        addresses.iter().take(room.address_info_count as usize).for_each(|at| text.push_str(&address_line(at)));
        vendors.iter().take(room.vendor_info_count as usize).for_each(|vendor| text.push_str(&vendor_line(vendor)));
    }
    text
}

fn address_line(info: &Address) -> String {
    let kind = match info.address_type {
        vk::DeviceFaultAddressTypeEXT::READ_INVALID => "invalid read",
        vk::DeviceFaultAddressTypeEXT::WRITE_INVALID => "invalid write",
        vk::DeviceFaultAddressTypeEXT::EXECUTE_INVALID => "invalid execution",
        vk::DeviceFaultAddressTypeEXT::INSTRUCTION_POINTER_UNKNOWN => "instruction",
        vk::DeviceFaultAddressTypeEXT::INSTRUCTION_POINTER_INVALID => "invalid instruction",
        vk::DeviceFaultAddressTypeEXT::INSTRUCTION_POINTER_FAULT => "instruction with a fault",
        _ => "address",
    };
    // The precision is a power of two: the place is anywhere between both.
    let size = info.address_precision.max(1);
    let first = info.reported_address & !(size - 1);
    format!("\n  {kind} in {first:#x} to {:#x}", first.saturating_add(size - 1))
}

fn vendor_line(info: &Vendor) -> String {
    let Vendor { description, vendor_fault_code: code, vendor_fault_data: data } = info;
    format!("\n  of the vendor: {}, code {code:#x}, data {data:#x}", line(description))
}

fn line(text: &[c_char; vk::MAX_DESCRIPTION_SIZE]) -> String {
    let bytes: Vec<u8> = text.iter().map(|byte| *byte as u8).take_while(|byte| *byte != 0).collect();
    let text = String::from_utf8_lossy(&bytes);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if text.is_empty() { "no description".into() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(text: &str) -> [c_char; vk::MAX_DESCRIPTION_SIZE] {
        let mut chars = [0; vk::MAX_DESCRIPTION_SIZE];
        chars.iter_mut().zip(text.bytes()).for_each(|(to, from)| *to = from as c_char);
        chars
    }

    fn address(address_type: vk::DeviceFaultAddressTypeEXT, reported_address: u64, address_precision: u64) -> Address {
        Address { address_type, reported_address, address_precision }
    }

    fn vendor() -> Vendor {
        Vendor { description: chars("ring gfx"), vendor_fault_code: 0x1d, vendor_fault_data: 7 }
    }

    unsafe extern "system" fn ext_driver(
        _: vk::Device,
        counts: *mut vk::DeviceFaultCountsEXT<'_>,
        info: *mut vk::DeviceFaultInfoEXT<'_>,
    ) -> vk::Result {
        // SAFETY: as the specification demands of a driver.
        unsafe {
            if info.is_null() {
                ((*counts).address_info_count, (*counts).vendor_info_count) = (2, 1);
                return vk::Result::SUCCESS;
            }
            assert_eq!(((*counts).address_info_count, (*counts).vendor_info_count), (2, 1));
            (*info).description = chars("GPUVM fault\ndetected");
            let write = address(vk::DeviceFaultAddressTypeEXT::WRITE_INVALID, 0x1234_5678, 0x1000);
            let at = address(vk::DeviceFaultAddressTypeEXT::INSTRUCTION_POINTER_FAULT, 0x40, 1);
            (*info).p_address_infos.write(write);
            (*info).p_address_infos.add(1).write(at);
            (*info).p_vendor_infos.write(vendor());
        }
        vk::Result::SUCCESS
    }

    unsafe extern "system" fn khr_driver(_: vk::Device, _: u64, count: *mut u32, infos: *mut FaultInfo) -> vk::Result {
        // SAFETY: as the specification demands of a driver.
        unsafe {
            assert_eq!((*infos).s_type.as_raw(), 1_000_573_002);
            *count = 1;
            (*infos).flags = 0x1 | HAS_MEMORY | HAS_VENDOR | IS_TIMEOUT;
            (*infos).group = 3;
            (*infos).description = chars("page fault");
            (*infos).memory = address(vk::DeviceFaultAddressTypeEXT::READ_INVALID, 0x2fff, 0x1000);
            (*infos).vendor = vendor();
        }
        vk::Result::INCOMPLETE
    }

    unsafe extern "system" fn silent_driver(
        _: vk::Device,
        _: *mut vk::DeviceFaultCountsEXT<'_>,
        _: *mut vk::DeviceFaultInfoEXT<'_>,
    ) -> vk::Result {
        vk::Result::ERROR_OUT_OF_HOST_MEMORY
    }

    #[test]
    fn a_report_names_what_the_driver_names() {
        let of = |source| FaultReports { source, text: OnceLock::new() }.text(vk::Device::null());
        let text = of(Source::Ext(ext_driver));
        for part in [
            "GPUVM fault detected",
            "invalid write in 0x12345000 to 0x12345fff",
            "instruction with a fault in 0x40 to 0x40",
            "ring gfx, code 0x1d, data 0x7",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        let text = of(Source::Khr(khr_driver));
        for part in ["group 3: page fault", "time limit", "invalid read in 0x2000 to 0x2fff", "ring gfx"] {
            assert!(text.contains(part), "{part}: {text}");
        }
        assert!(!text.contains("not recorded") && text.lines().count() == 5, "{text}");
        assert!(of(Source::Ext(silent_driver)).contains("no description"));
        assert!(of(Source::None).contains("reports no faults"));
    }
}
