//! Driver statistics of pipelines (VK_KHR_pipeline_executable_properties).
use super::Gpu;
use ash::{khr, vk};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PipelineStatistics {
    pub shaders: Vec<String>,
    /// Specialization constants, a required subgroup size, formats of attachments.
    pub variant: Vec<(String, String)>,
    pub programs: Vec<ProgramStatistics>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct ProgramStatistics {
    pub name: String,
    /// 0 if unknown.
    pub subgroup: u32,
    pub figures: Vec<(String, f64)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    Run,
    /// A pipeline from a cache has no statistics.
    Statistics,
}

pub(super) struct StatisticsLog {
    commands: khr::pipeline_executable_properties::Device,
    is_collecting: bool,
    made: Mutex<Vec<PipelineStatistics>>,
}

impl StatisticsLog {
    pub fn new(instance: &ash::Instance, device: &ash::Device, is_collecting: bool) -> Self {
        let commands = khr::pipeline_executable_properties::Device::new(instance, device);
        Self { commands, is_collecting, made: Mutex::default() }
    }

    fn made(&self) -> MutexGuard<'_, Vec<PipelineStatistics>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Gpu {
    pub fn pipeline_statistics(&self) -> Vec<PipelineStatistics> {
        self.statistics.as_ref().map(|log| log.made().clone()).unwrap_or_default()
    }

    pub fn tells_statistics(&self) -> bool {
        self.statistics.is_some()
    }

    pub(super) fn creation(&self, purpose: Purpose) -> (vk::PipelineCreateFlags, vk::PipelineCache) {
        let is_collecting = self.statistics.as_ref().is_some_and(|log| log.is_collecting);
        let flags = match is_collecting || purpose == Purpose::Statistics {
            true => vk::PipelineCreateFlags::CAPTURE_STATISTICS_KHR,
            false => vk::PipelineCreateFlags::empty(),
        };
        let cache = if purpose == Purpose::Run { self.pipeline_cache } else { vk::PipelineCache::null() };
        (flags, cache)
    }

    pub(super) fn note_statistics(
        &self,
        pipeline: vk::Pipeline,
        purpose: Purpose,
        shaders: &[String],
        variant: impl IntoIterator<Item = (String, String)>,
    ) {
        let Some(log) = self.statistics.as_ref().filter(|log| log.is_collecting && purpose == Purpose::Run) else {
            return;
        };
        let told = self.statistics_of(pipeline, shaders, variant.into_iter().collect());
        log.made().extend(told);
    }

    pub(super) fn statistics_of(
        &self,
        pipeline: vk::Pipeline,
        shaders: &[String],
        variant: Vec<(String, String)>,
    ) -> Option<PipelineStatistics> {
        let log = self.statistics.as_ref().filter(|_| pipeline != vk::Pipeline::null())?;
        let info = vk::PipelineInfoKHR::default().pipeline(pipeline);
        // SAFETY: the pipeline is alive and was made with the flag for this.
        let programs = unsafe { log.commands.get_pipeline_executable_properties(&info) }.unwrap_or_default();
        let programs = programs.iter().enumerate().map(|(index, program)| {
            let info = vk::PipelineExecutableInfoKHR::default().pipeline(pipeline).executable_index(index as u32);
            // SAFETY: as above; the index is below the number of programs.
            let figures = unsafe { log.commands.get_pipeline_executable_statistics(&info) }.unwrap_or_default();
            ProgramStatistics {
                name: text(program.name_as_c_str()),
                subgroup: program.subgroup_size,
                figures: figures.iter().map(|one| (text(one.name_as_c_str()), number(one))).collect(),
            }
        });
        Some(PipelineStatistics { shaders: shaders.to_vec(), variant, programs: programs.collect() })
    }
}

fn text(name: Result<&std::ffi::CStr, std::ffi::FromBytesUntilNulError>) -> String {
    name.unwrap_or(c"?").to_string_lossy().into_owned()
}

fn number(figure: &vk::PipelineExecutableStatisticKHR<'_>) -> f64 {
    use vk::PipelineExecutableStatisticFormatKHR as Format;
    // SAFETY: the format says which one is written.
    unsafe {
        match figure.format {
            Format::BOOL32 => f64::from(figure.value.b32),
            Format::INT64 => figure.value.i64 as f64,
            Format::FLOAT64 => figure.value.f64,
            _ => figure.value.u64 as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Options;

    #[test]
    fn figures_are_read_in_their_format() {
        use vk::PipelineExecutableStatisticFormatKHR as Format;
        let figure =
            |format, value| number(&vk::PipelineExecutableStatisticKHR { format, value, ..Default::default() });
        let value = |u64| vk::PipelineExecutableStatisticValueKHR { u64 };
        assert_eq!(figure(Format::UINT64, value(96)), 96.0);
        assert_eq!(figure(Format::INT64, value(u64::MAX)), -1.0);
        assert_eq!(figure(Format::FLOAT64, vk::PipelineExecutableStatisticValueKHR { f64: 1.5 }), 1.5);
        assert_eq!(figure(Format::BOOL32, vk::PipelineExecutableStatisticValueKHR { b32: 1 }), 1.0);
    }

    #[test]
    fn a_pipeline_is_listed_or_the_option_is_refused() {
        match Gpu::new(&Options { statistics: true, ..Options::default() }) {
            Ok(gpu) => {
                let _pipeline = super::super::ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", 3)]).unwrap();
                let [only] = &gpu.pipeline_statistics()[..] else { panic!("one pipeline") };
                assert_eq!(only.shaders, ["gpu/add.comp"]);
                assert_eq!(only.variant, [("TIMES".to_owned(), "3".to_owned())]);
                assert!(only.programs.iter().all(|program| !program.figures.is_empty()), "{only:?}");
            }
            Err(why) => assert!(why.to_string().contains("VK_KHR_pipeline_executable_properties"), "{why}"),
        }
        let gpu = Gpu::headless(false).unwrap();
        let _pipeline = super::super::ComputePipeline::new(&gpu, "gpu/add.comp", &[("TIMES", 3)]).unwrap();
        assert!(gpu.pipeline_statistics().is_empty());
    }
}
