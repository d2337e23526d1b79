//! Timestamps on one time axis: counters have a limited number of bits and wrap around, and those of two queues are
//! comparable only with VK_EXT_calibrated_timestamps.
use super::{
    Gpu,
    access::Queue,
    features::{Feature, Probe},
    instance::Instance,
};
use ash::{ext, vk};

pub(super) fn calibrated(
    instance: &Instance,
    device: &ash::Device,
    physical: vk::PhysicalDevice,
    probe: &Probe,
) -> Option<ext::calibrated_timestamps::Device> {
    if !probe.features.contains(&Feature::CalibratedTimestamps) {
        return None;
    }
    let known = ext::calibrated_timestamps::Instance::new(&instance.entry, &instance.raw);
    // SAFETY: a query about a device of this instance.
    let domains = unsafe { known.get_physical_device_calibrateable_time_domains(physical) }.unwrap_or_default();
    domains.contains(&vk::TimeDomainEXT::DEVICE).then(|| ext::calibrated_timestamps::Device::new(&instance.raw, device))
}

impl Gpu {
    pub(super) fn now_ticks(&self) -> Option<u64> {
        let now = [vk::CalibratedTimestampInfoEXT::default().time_domain(vk::TimeDomainEXT::DEVICE)];
        // SAFETY: the extension is on, and the domain is one of the device's.
        let read = unsafe { self.calibrated.as_ref()?.get_calibrated_timestamps(&now) };
        read.ok().and_then(|(ticks, _)| ticks.first().copied())
    }
}

/// In the shorter direction.
fn between(from: u64, to: u64, bits: u32) -> i64 {
    let unused = 64 - bits.clamp(1, 64);
    (to.wrapping_sub(from) << unused).cast_signed() >> unused
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Span {
    pub queue: Queue,
    pub from: u64,
    pub to: u64,
}

pub(super) struct TimeAxis {
    pub tick_ns: f64,
    pub bits: [u32; 2],
    pub one_queue: bool,
    pub begun: Option<u64>,
}

#[derive(Debug, PartialEq)]
pub(super) struct FrameSpan {
    pub spans: Vec<Option<(f64, f64)>>,
    /// With separate clocks, on the queue that took longer.
    pub whole_us: Option<f64>,
    pub after_us: Option<f64>,
    pub apart: bool,
}

/// Longer intervals belong to different clocks.
const MOST_NS: f64 = 120e9;

impl TimeAxis {
    pub fn of(gpu: &Gpu, begun: Option<u64>) -> Self {
        Self {
            tick_ns: gpu.tick_ns(Queue::Graphics).unwrap_or(1.0),
            bits: [gpu.tick_bits(Queue::Graphics), gpu.tick_bits(Queue::Compute)],
            one_queue: !gpu.two_families(),
            begun,
        }
    }

    pub fn lay(&self, spans: &[Option<Span>]) -> FrameSpan {
        let us = |ticks: i64| ticks as f64 * self.tick_ns * 1e-3;
        let least = self.bits.into_iter().filter(|bits| *bits > 0).min().unwrap_or(64);
        // All queues count the device's time if the ticks of each are later than the start of recording.
        let behind = |begun: u64| {
            let since = |span: &Span| us(between(begun, span.from, least));
            spans.iter().flatten().all(|span| (0.0..MOST_NS * 1e-3).contains(&since(span)))
        };
        let begun = self.begun.filter(|begun| behind(*begun));
        let uses = |queue| spans.iter().flatten().any(|span| span.queue == queue);
        let apart = uses(Queue::Graphics) && uses(Queue::Compute) && !self.one_queue && begun.is_none();
        let origin = |queue: Queue| spans.iter().flatten().find(|span| !apart || span.queue == queue).map(|s| s.from);
        let origins = [origin(Queue::Graphics), origin(Queue::Compute)];
        let at = |queue: Queue, tick: u64| {
            let bits = if apart { self.bits[queue as usize] } else { least };
            origins[queue as usize].map_or(0.0, |origin| us(between(origin, tick, bits)))
        };
        let mut ends = [(f64::INFINITY, f64::NEG_INFINITY); 2];
        let laid: Vec<_> =
            spans.iter().map(|span| span.map(|s| (s.queue, at(s.queue, s.from), at(s.queue, s.to)))).collect();
        for (queue, from, to) in laid.iter().flatten() {
            let end = &mut ends[if apart { *queue as usize } else { 0 }];
            *end = (end.0.min(*from), end.1.max(*to));
        }
        let first = |queue: Queue| ends[if apart { queue as usize } else { 0 }].0;
        let whole_us = ends.iter().filter(|(from, to)| to >= from).map(|(from, to)| to - from).reduce(f64::max);
        let early = begun.zip(origins[0].or(origins[1])).map(|(begun, origin)| us(between(begun, origin, least)));
        FrameSpan {
            spans: laid.iter().map(|span| span.map(|(q, from, to)| (from - first(q), (to - from).max(0.0)))).collect(),
            whole_us,
            after_us: early.map(|us| us + ends[0].0).filter(|us| us.is_finite()),
            apart,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Queue::{Compute, Graphics};

    fn axis(bits: [u32; 2], begun: Option<u64>) -> TimeAxis {
        TimeAxis { tick_ns: 1000.0, bits, one_queue: false, begun }
    }

    fn span(queue: Queue, from: u64, to: u64) -> Option<Span> {
        Some(Span { queue, from, to })
    }

    #[test]
    fn wrapped_counters_are_unwrapped() {
        assert_eq!(between(5, 9, 64), 4);
        assert_eq!(between(0xFFF0, 0x10, 16), 0x20);
        assert_eq!(between(0xABCD_0000_FFF0, 0x10, 16), 0x20, "bits above those that count are nothing");
        assert_eq!(between(0x10, 0xFFF0, 16), -0x20);
        assert_eq!(between(u64::MAX, 1, 64), 2);
        let full = 1 << 36;
        let laid = axis([36, 36], None).lay(&[span(Graphics, full - 4, full - 1), None, span(Graphics, 2, 5)]);
        assert_eq!(laid.spans, [Some((0.0, 3.0)), None, Some((6.0, 3.0))]);
        assert_eq!((laid.whole_us, laid.apart), (Some(9.0), false));
    }

    #[test]
    fn two_clocks_are_kept_apart_unless_the_device_says_that_they_are_one() {
        let spans = [span(Compute, 1_000_040, 1_000_050), span(Graphics, 7, 27), span(Compute, 1_000_060, 1_000_075)];
        let laid = axis([64, 64], None).lay(&spans);
        assert_eq!(laid.spans, [Some((0.0, 10.0)), Some((0.0, 20.0)), Some((20.0, 15.0))]);
        assert_eq!((laid.whole_us, laid.apart, laid.after_us), (Some(35.0), true, None));
        assert!(axis([64, 64], Some(1_000_000)).lay(&spans).apart);
        let spans = [span(Compute, 140, 150), span(Graphics, 120, 145)];
        let laid = axis([64, 40], Some(100)).lay(&spans);
        assert_eq!(laid.spans, [Some((20.0, 10.0)), Some((0.0, 25.0))]);
        assert_eq!((laid.whole_us, laid.after_us, laid.apart), (Some(30.0), Some(20.0), false));
        let one = TimeAxis { one_queue: true, ..axis([64, 64], None) }.lay(&spans);
        assert_eq!((one.spans, one.apart, one.after_us), (laid.spans, false, None));
    }

    #[test]
    fn without_timestamps_there_are_no_times() {
        let laid = axis([0, 0], None).lay(&[None, None]);
        assert_eq!(laid, FrameSpan { spans: vec![None, None], whole_us: None, after_us: None, apart: false });
    }
}
