//! Bytes and bandwidths as text.

use super::theme;
use base::text::{fixed, in_unit, micros, percent};
use egui::{Sense, Ui, vec2};
use instrument::{ClockState, FrameResults, PassLimits, ProbeState, Reach};
use lab::{DeviceProbe, ProbeCopy};

/// Above this share a pass moves fewer bytes than counted, or finds them in caches.
const ABOVE: f64 = 1.05;

/// In powers of 1000: `["12.3", "MB"]`.
fn bytes(count: u64) -> [String; 2] {
    match count {
        0..1000 => [count.to_string(), "B".into()],
        _ => in_unit(count as f64 / 1e3, 1e3, &["kB", "MB", "GB", "TB"]),
    }
}

fn bandwidth(gb_s: f64) -> [String; 2] {
    in_unit(gb_s * 1e9, 1e3, &["B/s", "kB/s", "MB/s", "GB/s", "TB/s"])
}

fn is_above(limits: &PassLimits, reach: &Reach) -> bool {
    limits.counted.is_none() && reach.of_probe.is_some_and(|part| part > ABOVE)
}

pub fn figures(limits: &PassLimits, reach: &Reach) -> [Option<[String; 2]>; 3] {
    let part = reach.of_probe.map(|part| [fixed(100.0 * part, 0), "%".into()]);
    if is_above(limits, reach) {
        return [Some(bytes(reach.bytes)), None, Some(["> 100".into(), "%".into()])];
    }
    // The time is in the column's head.
    let per_s = bandwidth(reach.gb_s).map(|text| text.replace("/s", ""));
    [Some(bytes(reach.bytes)), Some(per_s), part]
}

/// `21.1 MB · 312 GB/s · 74 % of a copy`; no bandwidth where not all bytes can have been moved.
pub fn brief(limits: &PassLimits, us: Option<f64>, probe: Option<&DeviceProbe>) -> String {
    let moved = bytes(limits.bytes()).join(" ");
    let reach = us.and_then(|us| limits.reach(us, probe));
    if reach.as_ref().is_some_and(|reach| is_above(limits, reach)) {
        return format!("{moved} bound, more than a copy moves in this time");
    }
    let mut parts = vec![moved];
    if let Some(reach) = reach {
        parts.push(bandwidth(reach.gb_s).join(" "));
        parts.extend(reach.of_probe.map(|part| format!("{} of a copy", percent(part, 0))));
    }
    parts.join(" · ")
}

pub fn sentences(limits: &PassLimits, us: Option<f64>, probe: Option<&DeviceProbe>) -> Vec<String> {
    let [read, written, moved] = [limits.read, limits.written, limits.bytes()].map(|count| bytes(count).join(" "));
    let mut all = vec![match limits.counted {
        Some(_) => format!("Moves {moved} by the technique's count. Bound are {read} to read and {written} to write."),
        None => format!("Reads {read} and writes {written}: each byte of what is bound once."),
    }];
    let Some((us, reach)) = us.and_then(|us| Some((us, limits.reach(us, probe)?))) else { return all };
    let copy = |probe: &DeviceProbe| format!("A copy of as many bytes takes {}", micros(probe.us(reach.bytes)));
    if let Some(probe) = probe.filter(|_| is_above(limits, &reach)) {
        all.push(format!(
            "{}, the pass {}: not all that is bound is read, or it is in a cache.",
            copy(probe),
            micros(us)
        ));
        return all;
    }
    all.push(format!("In {} on the GPU: {}.", micros(us), bandwidth(reach.gb_s).join(" ")));
    if let Some((probe, part)) = probe.zip(reach.of_probe) {
        all.push(format!("{}: {} of its bandwidth.", copy(probe), percent(part, 0)));
    }
    all
}

pub fn device_line(state: &FrameResults<'_>) -> String {
    match state.probe {
        ProbeState::Unknown => String::new(),
        ProbeState::Announced => "The bandwidth of this GPU is measured, once ...".into(),
        ProbeState::Failed(why) => format!("The bandwidth of this GPU is unknown: {why}."),
        ProbeState::Known(probe) => {
            let gb_s = |copy: &ProbeCopy| copy.bytes as f64 / copy.us / 1e3;
            let copy =
                |copy: &ProbeCopy| format!("{} with {}", bandwidth(gb_s(copy)).join(" "), bytes(copy.bytes).join(" "));
            let fastest = probe.copies().iter().max_by(|a, b| gb_s(a).total_cmp(&gb_s(b)));
            let mut both: Vec<String> = probe.copies().last().into_iter().chain(fastest).map(copy).collect();
            both.dedup();
            format!("A copy on this GPU reaches {}.", both.join(", and "))
        }
    }
}

pub fn clock_lamp(ui: &mut Ui, clock: ClockState) {
    let (color, text, hint) = match clock {
        ClockState::Unknown => (
            None,
            "GPU clock: not measured".to_owned(),
            "It was not measured in the last seconds, or the device is a processor, which has no clock of a GPU.",
        ),
        ClockState::Up => (
            Some(theme::GOOD),
            "GPU clock: at its highest".to_owned(),
            "A small computation takes as long as with the highest clock.",
        ),
        ClockState::Fell(part) => (
            Some(theme::WARN),
            format!("GPU clock: {} of its highest", percent(part, 0)),
            "A small computation takes longer than with the highest clock: times and bandwidths are of the lower one. GPUs lower it when they idle or get hot.",
        ),
    };
    ui.horizontal(|ui| {
        ui.spacing_mut().item_spacing.x = 5.0;
        let (rect, _) = ui.allocate_exact_size(vec2(8.0, 14.0), Sense::hover());
        ui.painter().add(theme::lamp(rect.center(), color));
        ui.label(theme::small(text)).on_hover_text(hint);
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: PassLimits = PassLimits { read: 60_000_000, written: 40_000_000, counted: None };

    #[test]
    fn figures_have_three_digits_and_name_what_they_are_of() {
        let probe = DeviceProbe::sample(None, &[(1000, 2.0), (100_000_000, 50.0)]);
        assert_eq!(brief(&LIMITS, Some(100.0), Some(&probe)), "100 MB · 1.00 TB/s · 50 % of a copy");
        assert_eq!(brief(&LIMITS, None, Some(&probe)), "100 MB");
        let above = "100 MB bound, more than a copy moves in this time";
        assert_eq!(brief(&LIMITS, Some(20.0), Some(&probe)), above);
        assert_eq!([100.0, 20.0].map(|us| sentences(&LIMITS, Some(us), Some(&probe)).len()), [3, 2]);
        let cells =
            figures(&LIMITS, &LIMITS.reach(20.0, Some(&probe)).unwrap()).map(|cell| cell.map(|cell| cell.join(" ")));
        assert_eq!(cells, [Some("100 MB".into()), None, Some("> 100 %".into())]);
        let counted = PassLimits { counted: Some(8000), ..LIMITS };
        let all = sentences(&counted, Some(100.0), None);
        assert_eq!(all[0], "Moves 8.00 kB by the technique's count. Bound are 60.0 MB to read and 40.0 MB to write.");
        let cells = figures(&counted, &counted.reach(100.0, None).unwrap()).map(|cell| cell.map(|cell| cell.join(" ")));
        assert_eq!(cells, [Some("8.00 kB".into()), Some("80.0 MB".into()), None]);
        assert_eq!(bytes(999).join(" "), "999 B");
    }
}
