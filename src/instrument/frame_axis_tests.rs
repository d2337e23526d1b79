//! Tests of the axis: places of passes, waits, and reasons of gaps.

use super::*;
use base::timing::{PassTiming, QueueWait};

fn pass(name: &str, gpu: Option<[f64; 2]>, cpu: [f64; 2], on_compute_queue: bool) -> PassTiming {
    PassTiming {
        name: name.into(),
        gpu_start_us: gpu.map(|[from, _]| from),
        gpu_us: gpu.map(|[_, us]| us),
        cpu_start_us: cpu[0],
        cpu_us: cpu[1],
        submitted_us: 30.0,
        on_compute_queue,
        ..PassTiming::default()
    }
}

/// Two queues: graphics waits for the particles that compute has moved, compute for a list of the frame before.
fn frame() -> FrameTiming {
    FrameTiming {
        frame: 8,
        begun_us: 1000.0,
        gpu_us: Some(100.0),
        cpu_us: 28.0,
        gpu_after_us: Some(50.0),
        passes: vec![
            pass("particles/step", Some([10.0, 40.0]), [0.0, 5.0], true),
            pass("shade/list", Some([0.0, 20.0]), [6.0, 4.0], false),
            pass("particles/draw", Some([60.0, 40.0]), [10.0, 10.0], false),
        ],
        waits: vec![
            QueueWait { pass: 0, after: None, resource: "grid".into() },
            QueueWait { pass: 2, after: Some(0), resource: "particles".into() },
        ],
        ..FrameTiming::default()
    }
}

fn axis(timing: FrameTiming, before: Option<&FrameTiming>, is_one_queue: bool) -> FrameAxis {
    FrameAxis::of(Arc::new(timing), before, is_one_queue)
}

fn gaps(axis: &FrameAxis, lane: usize) -> Vec<(f64, f64, Reason)> {
    axis.lanes[lane].gaps.iter().map(|gap| (gap.from, gap.to, gap.reason)).collect()
}

#[test]
fn lanes_share_an_axis_and_gaps_have_reasons() {
    let axis = axis(frame(), None, false);
    assert_eq!((axis.clocks, axis.end), (Clocks::One, 150.0));
    assert_eq!(axis.both_queues_us(), Some(10.0));
    let bars = |lane: usize| axis.lanes[lane].bars.iter().map(|bar| (bar.pass, bar.from, bar.to)).collect::<Vec<_>>();
    assert_eq!(bars(0), [(0, 0.0, 5.0), (1, 6.0, 10.0), (2, 10.0, 20.0)]);
    assert_eq!(bars(1), [(1, 50.0, 70.0), (2, 110.0, 150.0)]);
    assert_eq!(bars(2), [(0, 60.0, 100.0)]);
    use Reason::{Ended, OutsidePasses, Queue, Submission, Unknown};
    assert_eq!(gaps(&axis, 0), [(5.0, 6.0, OutsidePasses), (20.0, 28.0, OutsidePasses), (28.0, 150.0, Ended)]);
    let graphics = [(0.0, 30.0, Submission), (30.0, 50.0, Unknown), (70.0, 100.0, Queue(1)), (100.0, 110.0, Unknown)];
    assert_eq!(gaps(&axis, 1), graphics);
    assert_eq!(gaps(&axis, 2), [(0.0, 30.0, Submission), (30.0, 60.0, Queue(0)), (100.0, 150.0, Ended)]);
    let arrow = |wait, from, to| Arrow { wait, from, to };
    let [compute, graphics] = [Lane::Compute, Lane::Graphics];
    assert_eq!(
        axis.arrows,
        [arrow(0, (graphics, 0.0), (compute, 60.0)), arrow(1, (compute, 100.0), (graphics, 110.0))]
    );
    let text = axis.gap_text(&axis.lanes[1].gaps[2], &str::to_owned);
    assert!(text.ends_with("particles/draw waits for particles/step, because of particles"), "{text}");
    assert!(axis.wait_text(0, &str::to_owned).contains("waits for the frame before, because of grid"));
}

#[test]
fn the_frame_before_the_window_and_the_driver_are_reasons() {
    let before = FrameTiming { frame: 7, begun_us: 900.0, gpu_us: Some(90.0), gpu_after_us: Some(50.0), ..frame() };
    let first = |timing, before| gaps(&axis(timing, before, false), 1)[..2].to_vec();
    use Reason::{Compiles, EarlierFrame, Submission, WindowImage};
    let earlier = [(0.0, 30.0, Submission), (30.0, 40.0, EarlierFrame)];
    assert_eq!(first(frame(), Some(&before)), earlier);
    let skipped = FrameTiming { frame: 6, ..before.clone() };
    let shown = FrameTiming { window_pass: Some(1), ..frame() };
    assert_eq!(first(shown, Some(&skipped)), [(0.0, 30.0, Submission), (30.0, 50.0, WindowImage)]);
    let compiles = FrameTiming { compiles: true, ..frame() };
    assert_eq!(first(compiles, None)[1], (30.0, 50.0, Compiles));
}

#[test]
fn clocks_that_cannot_be_compared_are_kept_apart() {
    let cpu_apart = axis(FrameTiming { gpu_after_us: None, ..frame() }, None, false);
    assert_eq!((cpu_apart.clocks, cpu_apart.lanes[1].bars[0].from), (Clocks::CpuApart, 0.0));
    assert_eq!(gaps(&cpu_apart, 1)[0], (20.0, 50.0, Reason::Queue(1)), "the queues' clocks are one");
    let apart = axis(FrameTiming { gpu_after_us: None, clocks_apart: true, ..frame() }, None, false);
    assert_eq!((cpu_apart.both_queues_us(), apart.both_queues_us()), (Some(10.0), None));
    assert_eq!(gaps(&apart, 1)[0], (20.0, 60.0, Reason::Queue(1)), "when it ended is not known");
    assert!(apart.clocks.note().is_some() && cpu_apart.clocks.note().is_some() && Clocks::One.note().is_none());
    let untimed = FrameTiming { passes: vec![pass("ui", None, [1.0, 2.0], false)], waits: Vec::new(), ..frame() };
    let untimed = axis(FrameTiming { gpu_us: None, gpu_after_us: None, ..untimed }, None, false);
    assert_eq!((untimed.clocks, untimed.lanes[1].bars.len()), (Clocks::One, 0));
}

#[test]
fn one_queue_is_one_lane_without_waits() {
    let one = axis(frame(), None, true);
    assert_eq!((one.lanes.len(), one.lanes[1].bars.len(), one.arrows.len()), (2, 3, 0));
}
