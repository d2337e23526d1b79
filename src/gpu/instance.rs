//! Vulkan loader, instance, and validation messages.
use super::{
    error::{Context, Error, Result},
    present_fences::SURFACE,
};
use ash::{ext, khr, vk};
use base::system::System;
use std::{
    ffi::{CStr, c_char, c_void},
    sync::{Arc, Mutex},
};

const LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";
/// Without these a layer from 1.4 on does not track shader accesses.
const LAYER_SETTINGS: [&CStr; 2] = [c"syncval_submit_time_validation", c"syncval_shader_accesses_heuristic"];
static ON: vk::Bool32 = vk::TRUE;

/// Shared: leaks are reported when the device is destroyed.
#[derive(Default, Debug)]
pub struct Messages(Mutex<Vec<String>>);

impl Messages {
    pub fn all(&self) -> Vec<String> {
        self.0.lock().map(|m| m.clone()).unwrap_or_default()
    }

    #[cfg(test)]
    pub(super) fn take(&self) -> Vec<String> {
        self.0.lock().map(|mut messages| std::mem::take(&mut *messages)).unwrap_or_default()
    }

    pub fn len(&self) -> usize {
        self.0.lock().map_or(0, |m| m.len())
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

unsafe extern "system" fn on_message(
    severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    kind: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the loader passes valid data, and `user` is the `Messages` that outlives the messenger.
    let (data, messages) = unsafe { (&*data, &*user.cast::<Messages>()) };
    let text = unsafe { data.message_as_c_str() }.unwrap_or(c"?").to_string_lossy();
    let name = unsafe { data.message_id_name_as_c_str() }.unwrap_or(c"?").to_string_lossy();
    if kind.contains(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION) {
        log::error!("validation: {name}: {text}");
        if let Ok(mut all) = messages.0.lock() {
            all.push(format!("{name}: {text}"));
        }
    } else {
        log::debug!("{severity:?} {name}: {text}");
    }
    vk::FALSE
}

fn switched_on(name: &'static CStr) -> vk::LayerSettingEXT<'static> {
    let setting = vk::LayerSettingEXT::default().layer_name(LAYER).setting_name(name);
    vk::LayerSettingEXT {
        ty: vk::LayerSettingTypeEXT::BOOL32,
        value_count: 1,
        p_values: (&raw const ON).cast(),
        ..setting
    }
}

pub(super) struct Instance {
    pub entry: ash::Entry,
    pub raw: ash::Instance,
    pub surface: khr::surface::Instance,
    pub labels: bool,
    pub validates: bool,
    pub messages: Arc<Messages>,
    pub has_present_fences: bool,
    messenger: Option<(ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
}

impl Instance {
    pub fn new(extensions: &[*const c_char], validate: bool, messages: Arc<Messages>) -> Result<Self> {
        // SAFETY: the loader is a well-known library; nothing of it is used after `Entry` is dropped.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|e| Error::NoDevice(format!("no Vulkan loader ({e}); expected {}", System::CURRENT.loader())))?;
        // SAFETY (this function): every pointer passed lives until the call returns.
        let known = unsafe { entry.enumerate_instance_extension_properties(None) }.context("instance extensions")?;
        let has = |name: &CStr| known.iter().any(|e| e.extension_name_as_c_str() == Ok(name));
        let layers = unsafe { entry.enumerate_instance_layer_properties() }.context("layers")?;
        let has_layer = layers.iter().any(|l| l.layer_name_as_c_str() == Ok(LAYER));
        if validate && !has_layer {
            return Err(Error::NoDevice(format!(
                "validation was asked for, but the layer {} is not installed ({})",
                LAYER.to_string_lossy(),
                System::CURRENT.validation_layer()
            )));
        }
        let labels = has(ext::debug_utils::NAME);
        let mut names = extensions.to_vec();
        let mut flags = vk::InstanceCreateFlags::empty();
        if labels {
            names.push(ext::debug_utils::NAME.as_ptr());
        }
        if has(khr::portability_enumeration::NAME) {
            names.push(khr::portability_enumeration::NAME.as_ptr());
            flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let may_fence = !extensions.is_empty() && has(khr::get_surface_capabilities2::NAME);
        let fences: Vec<_> = SURFACE.into_iter().filter(|name| may_fence && has(name)).collect();
        if !fences.is_empty() {
            names.extend(fences.iter().chain([&khr::get_surface_capabilities2::NAME]).map(|name| name.as_ptr()));
        }
        let layers: &[*const c_char] = if validate { &[LAYER.as_ptr()] } else { &[] };
        let mut settings = Vec::new();
        if validate {
            names.push(ext::validation_features::NAME.as_ptr());
            let own = unsafe { entry.enumerate_instance_extension_properties(Some(LAYER)) }.context("layer")?;
            if own.iter().any(|e| e.extension_name_as_c_str() == Ok(ext::layer_settings::NAME)) {
                names.push(ext::layer_settings::NAME.as_ptr());
                settings = LAYER_SETTINGS.map(switched_on).to_vec();
            }
        }
        let app = vk::ApplicationInfo::default()
            .application_name(c"meniscus")
            .engine_name(c"meniscus")
            .api_version(vk::API_VERSION_1_3);
        let mut hook = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(
                vk::DebugUtilsMessageSeverityFlagsEXT::WARNING | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
            )
            .message_type(
                vk::DebugUtilsMessageTypeFlagsEXT::GENERAL
                    | vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION
                    | vk::DebugUtilsMessageTypeFlagsEXT::PERFORMANCE,
            )
            .pfn_user_callback(Some(on_message))
            .user_data(Arc::as_ptr(&messages) as *mut c_void);
        let enables = [vk::ValidationFeatureEnableEXT::SYNCHRONIZATION_VALIDATION];
        let mut create = |names: &[*const c_char], settings: &[vk::LayerSettingEXT]| {
            let mut features = vk::ValidationFeaturesEXT::default().enabled_validation_features(&enables);
            let mut told = vk::LayerSettingsCreateInfoEXT::default().settings(settings);
            hook.p_next = std::ptr::null();
            let mut info = vk::InstanceCreateInfo::default()
                .application_info(&app)
                .enabled_layer_names(layers)
                .enabled_extension_names(names)
                .flags(flags);
            if labels {
                info = info.push_next(&mut hook); // messages of creating and destroying the instance itself
            }
            if validate {
                info = info.push_next(&mut features);
            }
            if !settings.is_empty() {
                info = info.push_next(&mut told);
            }
            unsafe { entry.create_instance(&info, None) }
        };
        let raw = match create(&names, &settings) {
            // Loaders before 1.3.270 refuse an extension that they do not know, also where the layer has it.
            Err(vk::Result::ERROR_EXTENSION_NOT_PRESENT) if !settings.is_empty() => {
                names.pop();
                create(&names, &[])
            }
            other => other,
        };
        let raw = raw.context("vkCreateInstance")?;
        hook.p_next = std::ptr::null();
        let messenger = if labels {
            let debug = ext::debug_utils::Instance::new(&entry, &raw);
            let messenger = unsafe { debug.create_debug_utils_messenger(&hook, None) }.context("messenger")?;
            Some((debug, messenger))
        } else {
            None
        };
        let surface = khr::surface::Instance::new(&entry, &raw);
        let has_present_fences = !fences.is_empty();
        Ok(Self { entry, raw, surface, labels, validates: validate, messages, has_present_fences, messenger })
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: device and surfaces are destroyed: `Gpu` drops this after them.
        unsafe {
            if let Some((debug, messenger)) = self.messenger.take() {
                debug.destroy_debug_utils_messenger(messenger, None);
            }
            self.raw.destroy_instance(None);
        }
        #[cfg(test)]
        if !std::thread::panicking() {
            assert_eq!(self.messages.all(), Vec::<String>::new());
        }
    }
}
