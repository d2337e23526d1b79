//! Steps of the particles: buffers and queues over three frames, and the words of some particles.

use super::{
    super::{
        queue_frame::{QueueFrame, Span, Work},
        reference::{BODIES, FIREFLIES, MOTES, Particle, SPRAY},
    },
    followed::{Followed, LastStep, TILE, WORDS, words_of},
};
use crate::passes::step::{BODIES as BODIES_PASS, STEP as STEP_PASS};
use base::text::{micros, sentence};
use std::collections::BTreeSet;
use technique::{Arrow, Cell, Drawing, Grid, MemoryComparison, ReplayStep, Role};

/// Particles in a row of a buffer.
const ACROSS: usize = 8;
/// Slots of a frame on the axis of time, and the frame that was recorded among three.
const SLOTS: usize = 4;
const FRAMES: usize = 3;
const NOW: usize = 1;
/// Slots of a step and of a draw.
const STEP: usize = 0;
const DRAW: usize = 2;
/// Most rows of differing particles next to the followed ones.
const OTHERS: usize = 8;
/// Cells for measured times.
const PAPER: [usize; 2] = [48, 12];
const DARK: [u8; 3] = [36, 40, 50];
/// Of the two buffers, and of work of other techniques.
const BUFFERS: [[u8; 3]; 2] = [[240, 160, 70], [90, 170, 250]];
const OTHER_WORK: [u8; 3] = [120, 130, 150];

pub struct Steps<'a> {
    pub last: &'a LastStep<'a>,
    pub followed: &'a Followed,
    pub queues: usize,
    /// Number of the buffer that the step has written.
    pub newest: usize,
}

impl Steps<'_> {
    pub fn all(&self, measured: Option<&QueueFrame>, compared: &MemoryComparison) -> Vec<ReplayStep> {
        let steps = [Some(self.tile()), Some(self.step()), self.words(), Some(self.draw())];
        let rest = [Some(self.waits()), Some(self.swap()), measured.map(|frame| self.measured(frame))];
        steps.into_iter().chain(rest).flatten().chain([self.end(compared)]).collect()
    }

    /// Pass of the step.
    fn pass(&self) -> &'static str {
        if self.last.kind == BODIES { BODIES_PASS.as_ref() } else { STEP_PASS.as_ref() }
    }

    fn cells(&self, particles: &[Particle], role: Role) -> Vec<Cell> {
        let cell = |(place, particle): (usize, &Particle)| {
            let age = u64::from(particle.life & 0xFFFF) * 100 / 65536;
            let text = if self.last.kind == BODIES { String::new() } else { age.to_string() };
            Cell { text, item: Some(place as u32), ..Cell::new(color_of(place), "").role(role) }
        };
        particles.iter().enumerate().map(cell).collect()
    }

    /// Both buffers, number 0 at the left; `newest` has the state after the step; the use of each, old one first.
    fn buffers(&self, [old, new]: [(&str, Role); 2]) -> Grid {
        let newest = self.newest;
        let states = [(self.particles(self.last.before), old), (self.followed.expected.clone(), new)];
        let at = |number: usize| &states[usize::from(number == newest)];
        let [left, right] = [at(0), at(1)].map(|(particles, (_, role))| self.cells(particles, *role));
        let rows = left.len().div_ceil(ACROSS);
        let mut cells = Vec::new();
        for row in 0..rows {
            for (side, more) in [(&left, 1), (&right, 0)] {
                let part = side.iter().skip(row * ACROSS).take(ACROSS).cloned();
                let end = cells.len() + ACROSS + more;
                cells.extend(part);
                cells.resize(end, Cell::default());
            }
        }
        let title = format!("Buffer 0: {}; buffer 1: {}", at(0).1.0, at(1).1.0);
        let grid = Grid::new(title, 2 * ACROSS + 1, cells);
        Grid { outlines: vec![[0, 0, ACROSS, rows], [ACROSS + 1, 0, ACROSS, rows]], ..grid }
    }

    fn particles(&self, state: &[Particle]) -> Vec<Particle> {
        self.followed.numbers.iter().map(|number| state[*number]).collect()
    }

    fn tile(&self) -> ReplayStep {
        // A cell is two pixels.
        let to_cells = |at: [f32; 2]| at.map(|at| 0.5 * at);
        let mut drawing = Vec::new();
        for (place, [from, to]) in self.followed.places.iter().enumerate() {
            let Some(from) = from.map(to_cells) else { continue };
            drawing.push(Drawing::circle(color_of(place), from, 0.6).filled());
            drawing.extend(to.map(|to| Drawing::line(color_of(place), [from, to_cells(to)])));
        }
        let side = TILE as usize / 2;
        let title = "Where they are drawn, and where the step moves them; a cell is 2x2 pixels";
        let paper = Grid::paper(title, [side, side]).drawn(drawing);
        let cells = self.cells(&self.particles(self.last.before), Role::Idle);
        let title = match self.last.kind {
            BODIES => "The same bodies, in their colours",
            _ => "The same particles, with their age in percent",
        };
        let list = Grid::new(title, ACROSS, cells);
        let needs = match self.last.kind {
            BODIES => "its step needs all others",
            _ => "needs none of the others for its step",
        };
        let sentence = format!(
            "Of {} particles these steps follow {} in this tile or near it on the screen; each has eight words, position and seed, velocity and life, and {needs}.",
            self.last.before.len(),
            self.followed.numbers.len()
        );
        ReplayStep::new("Particles of the tile", sentence, vec![paper, list])
    }

    /// Both queues over three frames; `newest`: as the frame in the middle leaves it; `active`: cells of the present
    /// step.
    fn time(&self, active: &[usize]) -> Grid {
        let newest = self.newest;
        let mut cells = vec![Cell::new(DARK, ""); FRAMES * SLOTS * self.queues];
        for frame in 0..FRAMES {
            let written = if frame == NOW { newest } else { 1 - newest };
            let work = [
                (self.slot(frame, STEP), BUFFERS[written], format!("{}>{written}", 1 - written)),
                (self.slot(frame, 1), OTHER_WORK, "world".into()),
                (self.slot(frame, DRAW), BUFFERS[1 - written], format!("draw {}", 1 - written)),
                (self.slot(frame, 3), OTHER_WORK, "glass".into()),
            ];
            for (slot, color, text) in work {
                let role = if active.contains(&slot) { Role::Active } else { Role::Idle };
                cells[slot] = Cell::new(color, text).role(role);
            }
            if self.queues == 2 {
                let early = FRAMES * SLOTS + frame * SLOTS;
                cells[early] = Cell::new(OTHER_WORK, "world");
            }
        }
        let title = match self.queues {
            2 => {
                "Three frames, time to the right; 0>1: the step from buffer 0 to 1; compute queue above, graphics queue below"
            }
            _ => "Three frames on one queue, time to the right; 0>1: the step from buffer 0 to 1",
        };
        Grid::new(title, FRAMES * SLOTS, cells).aspect(2.8).grouped(SLOTS, self.queues).wide()
    }

    fn slot(&self, frame: usize, slot: usize) -> usize {
        let row = if self.queues == 2 && slot != STEP { 1 } else { 0 };
        row * FRAMES * SLOTS + frame * SLOTS + slot
    }

    fn step(&self) -> ReplayStep {
        let newest = self.newest;
        let buffers = self.buffers([("read", Role::Idle), ("written", Role::Active)]);
        let what = match self.last.kind {
            BODIES => "each is pulled by all others, which a workgroup loads into shared memory block by block",
            SPRAY => "they fall, with a little drag, and what is below the water leaves a nozzle again",
            FIREFLIES | MOTES => {
                "they follow the air of a table of 64x64x64 cells, and what is too old or leaves the box is born again"
            }
            _ => "dust follows the air of a table, drops fall, and what ends is born again",
        };
        let queue = if self.queues == 2 { "The compute queue" } else { "The one queue that there is" };
        let sentence = format!(
            "{queue} steps all particles, a thread each: it reads buffer {} and writes buffer {newest}, so that the old state stays whole for whoever draws it. {}.",
            1 - newest,
            sentence(what)
        );
        let time = self.time(&[self.slot(NOW, STEP)]);
        let motion = &self.last.motion;
        let figures =
            vec![("seconds of the step", format!("{:.4}", motion.dt)), ("step", motion.step_number.to_string())];
        ReplayStep::new("Step", sentence, vec![buffers, time]).figures(figures).passes([self.pass()])
    }

    fn words(&self) -> Option<ReplayStep> {
        let speed = |place: &usize| self.followed.expected[*place].velocity.length();
        let fastest = (0..self.followed.numbers.len()).max_by(|a, b| speed(a).total_cmp(&speed(b)));
        let place = fastest?;
        let number = self.followed.numbers[place];
        let (before, after) = (self.last.before[number], self.followed.expected[place]);
        let [old, new] = [before, after].map(|particle| words_of(&particle));
        let text = |at: usize, word: u32| match at {
            3 if self.last.kind == BODIES => format!("{:.2e}", f32::from_bits(word)),
            3 | 7 => format!("{word:08x}"),
            _ => format!("{:.4}", f32::from_bits(word)),
        };
        let mut cells: Vec<Cell> = (0..WORDS).map(|at| Cell::new(color_of(place), text(at, old[at]))).collect();
        cells.extend(vec![Cell::default(); WORDS]);
        let role = |at: usize| if old[at] == new[at] { Role::Idle } else { Role::Active };
        cells.extend((0..WORDS).map(|at| Cell::new(color_of(place), text(at, new[at])).role(role(at))));
        let (title, last) = match self.last.kind {
            BODIES => ("Position, mass, velocity, life, before the step and after it", "a body keeps its mass"),
            _ => (
                "Position, seed, velocity, life, before the step and after it",
                "the lower half of the last word is its age",
            ),
        };
        let grid = Grid::new(title, WORDS, cells).aspect(2.2);
        let changed = (0..WORDS).filter(|at| old[*at] != new[*at]);
        let mut arrows: Vec<Arrow> = changed.map(|at| Arrow { from: [0, at], to: [0, 2 * WORDS + at] }).collect();
        // A position is moved by the new velocity.
        arrows.extend(
            (0..3)
                .filter(|at| old[*at] != new[*at])
                .map(|at| Arrow { from: [0, 2 * WORDS + 4 + at], to: [0, 2 * WORDS + at] }),
        );
        let how = match (before.seed == after.seed, self.last.kind_of(number)) {
            (false, _) => "it has ended, and is born again with another seed, place and age",
            (_, BODIES) => "the pull of all others changes its velocity, and that its position",
            (_, SPRAY) => "gravity and drag change its velocity, and the new velocity its position",
            _ => "drag pulls its velocity towards that of the air at its place, and the new velocity moves it",
        };
        let sentence = format!(
            "Particle {number}, the fastest of these, is read as two loads of 16 bytes and written as two stores: {how}; {last}."
        );
        Some(ReplayStep::new("Words of a particle", sentence, vec![grid]).arrows(arrows).passes([self.pass()]))
    }

    fn draw(&self) -> ReplayStep {
        let newest = self.newest;
        let buffers = self.buffers([("drawn", Role::Active), ("not looked at yet", Role::Faded)]);
        let time = self.time(&[self.slot(NOW, DRAW)]);
        let sentence = match self.queues {
            2 => format!(
                "At the same time the graphics queue draws the world and then the particles of buffer {}, which both queues only read, so that neither waits for the other within the frame.",
                1 - newest
            ),
            _ => format!(
                "The same queue draws the world and then the particles of buffer {}, the state before, as with two queues: the picture does not depend on their number.",
                1 - newest
            ),
        };
        ReplayStep::new("Draw the state before", sentence, vec![buffers, time])
            .passes(["particles/draw", "particles/splat"])
    }

    fn waits(&self) -> ReplayStep {
        let newest = self.newest;
        let parts = [("drawn, then written again", Role::Idle), ("written, then drawn", Role::Idle)];
        let time = self.time(&[self.slot(NOW + 1, STEP), self.slot(NOW + 1, DRAW)]);
        let mut grids = vec![self.buffers(parts), time];
        let arrows_of = |steps: &Self, grid: usize| {
            let arrow = |from: usize, to: usize| Arrow { from: [grid, from], to: [grid, to] };
            [
                arrow(steps.slot(NOW, STEP), steps.slot(NOW + 1, DRAW)),
                arrow(steps.slot(NOW, DRAW), steps.slot(NOW + 1, STEP)),
                arrow(steps.slot(NOW, STEP), steps.slot(NOW + 1, STEP)),
            ]
        };
        let mut arrows = arrows_of(self, 1).to_vec();
        if self.queues == 1 {
            // What the technique is for.
            let with_two = Self { queues: 2, ..*self };
            let active = [with_two.slot(NOW + 1, STEP), with_two.slot(NOW + 1, DRAW)];
            let time = with_two.time(&active);
            grids.push(Grid {
                title: "The same on a device with a compute queue, above; graphics queue below".into(),
                ..time
            });
            arrows.extend(arrows_of(&with_two, 2));
        }
        let by =
            if self.queues == 2 { "each by the number of the other queue's semaphore" } else { "each by a barrier" };
        let sentence = format!(
            "The next frame has two waits, {by}: its draw waits until buffer {newest} is written, and its step, which writes buffer {} again, until that has been drawn. The step also comes after the one before it, whose state it reads, on the same queue.",
            1 - newest
        );
        ReplayStep::new("Who waits for what", sentence, grids).arrows(arrows)
    }

    fn swap(&self) -> ReplayStep {
        let newest = self.newest;
        let buffers = self.buffers([("will be written", Role::Faded), ("will be read and drawn", Role::Active)]);
        let time = self.time(&[self.slot(NOW + 1, STEP), self.slot(NOW + 1, DRAW)]);
        let sentence = format!(
            "The buffers change their parts, and nothing is copied: buffer {newest} is now read by both, and the picture is always one step behind the simulation."
        );
        ReplayStep::new("Swap the buffers", sentence, vec![buffers, time])
    }

    fn measured(&self, frame: &QueueFrame) -> ReplayStep {
        let end = frame.spans.iter().map(|span| span.to_us).fold(1.0, f64::max);
        let has_two = self.queues == 2 && frame.spans.iter().any(|span| span.on_compute_queue);
        let area = |span: &Span| {
            let [from, to] = [span.from_us, span.to_us].map(|us| (us / end * PAPER[0] as f64) as f32);
            // Short ones stay visible.
            let to = to.max(from + 0.08);
            let top = if has_two && !span.on_compute_queue { 7.0 } else { 2.0 };
            let color = match span.work {
                Work::Step => BUFFERS[0],
                Work::Draw => BUFFERS[1],
                Work::Other => OTHER_WORK,
            };
            Drawing::around(color, [[from, top], [to, top], [to, top + 3.0], [from, top + 3.0]]).filled()
        };
        let rows = if has_two { ": compute queue above, graphics queue below" } else { "" };
        let title = format!(
            "Passes of a frame over {}{rows}; orange: step, blue: drawing particles, grey: all else",
            micros(end)
        );
        let [columns, rows] = PAPER;
        let paper =
            Grid::paper(title, [columns, if has_two { rows } else { 7 }]).drawn(frame.spans.iter().map(area).collect());
        let sum = |work: Work| {
            frame.spans.iter().filter(|span| span.work == work).map(|span| span.to_us - span.from_us).sum::<f64>()
        };
        let overlap: f64 =
            frame.spans.iter().filter(|span| span.on_compute_queue).map(|span| shared_us(span, &frame.spans)).sum();
        let said = match (has_two, overlap > 0.0) {
            (true, true) => format!("for {} both queues worked at once", micros(overlap)),
            (true, false) => "the queues did not work at once".into(),
            (false, _) => "there is one queue, and its passes follow each other".into(),
        };
        let sentence =
            format!("The last measured frame had these times of its passes, by the GPU's own clock: {said}.");
        let us = |work: Work| micros(sum(work));
        let mut figures = vec![("step", us(Work::Step)), ("drawing", us(Work::Draw)), ("all else", us(Work::Other))];
        if has_two {
            let waits = frame.waits.iter().map(|[pass, resource]| format!("{pass} for {resource}"));
            figures.push(("waits", waits.collect::<Vec<_>>().join(", ")));
        }
        ReplayStep::new("Measured", sentence, vec![paper]).figures(figures)
    }

    /// Words of the followed particles, and of others that differ.
    fn end(&self, compared: &MemoryComparison) -> ReplayStep {
        let is_bodies = self.last.kind == BODIES;
        let wrong: BTreeSet<(usize, usize)> = compared
            .differing
            .iter()
            .map(|word| match is_bodies {
                true => (self.followed.numbers.get(word / WORDS).copied().unwrap_or_default(), word % WORDS),
                false => (word / WORDS, word % WORDS),
            })
            .collect();
        let mut rows = self.followed.numbers.clone();
        let others: BTreeSet<usize> =
            wrong.iter().map(|(number, _)| *number).filter(|number| rows.binary_search(number).is_err()).collect();
        rows.extend(others.into_iter().take(OTHERS));
        let cell = |place: usize, number: usize, at: usize| {
            let role = if wrong.contains(&(number, at)) { Role::Wrong } else { Role::Idle };
            let text =
                self.last.after.get(number).map_or(String::new(), |particle| format!("{:08x}", words_of(particle)[at]));
            Cell {
                item: (at == 0 && place < self.followed.numbers.len()).then_some(place as u32),
                ..Cell::new(color_of(place), text).role(role)
            }
        };
        let cells = rows.iter().enumerate().flat_map(|(place, number)| (0..WORDS).map(move |at| (place, *number, at)));
        let cells = cells.map(|(place, number, at)| cell(place, number, at)).collect();
        let grid =
            Grid::new("Memory after the step: position, seed, velocity, life, a row for a particle", WORDS, cells)
                .aspect(4.2);
        let of = if is_bodies { "these bodies" } else { "all particles" };
        let sentence = format!(
            "The GPU's state before the step is stepped by the reference implementation, and the eight words of {of} are compared with the GPU's state after it; words that differ by more than rounding explains are marked."
        );
        ReplayStep::compared(sentence, vec![grid])
    }
}

/// Microseconds in which the other queue worked, too, at most those of the span.
fn shared_us(span: &Span, all: &[Span]) -> f64 {
    let others = all.iter().filter(|other| other.on_compute_queue != span.on_compute_queue);
    let shared: f64 =
        others.map(|other| (span.to_us.min(other.to_us) - span.from_us.max(other.from_us)).max(0.0)).sum();
    shared.min(span.to_us - span.from_us)
}

fn color_of(place: usize) -> [u8; 3] {
    let turn = place as f32 * 0.618_034 % 1.0;
    let channel = |third: f32| (((turn + third / 3.0).fract() * 6.0 - 3.0).abs() - 1.0).clamp(0.0, 1.0);
    [0.0, 2.0, 1.0].map(|third| (255.0 * (0.35 + 0.5 * channel(third))) as u8)
}
