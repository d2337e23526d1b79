//! Tables of source documents in the window, measured one after the other on a device of their own.

use super::user_event::UserEvent;
use crate::app::source_tables::device_line;
use crate::base::job::{self, Job};
use crate::gpu::{DeviceInfo, Options};
use crate::lab::{BenchOptions, Card, End, Progress, SourceFigures, SourceTable, TestBench};
use crate::suites;
use crate::techniques::INFOS;
use crate::ui::SourceTableState;
use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, Sender, channel};
use winit::event_loop::EventLoopProxy;

type MeasuredRow = Result<SourceFigures, String>;

/// The tables, and the running measurement.
pub struct WindowTables {
    tables: Vec<SourceTable>,
    rows: Vec<Vec<MeasuredRow>>,
    states: Vec<SourceTableState>,
    /// Indices of tables that wait.
    queue: VecDeque<usize>,
    running: Option<Running>,
    device: DeviceInfo,
    wake: EventLoopProxy<UserEvent>,
}

struct Running {
    table: usize,
    job: Job<Result<(), String>>,
    rows: Receiver<MeasuredRow>,
}

impl WindowTables {
    /// `device`: that of the window, on which they are measured.
    pub fn new(device: &DeviceInfo, wake: EventLoopProxy<UserEvent>) -> Self {
        let tables: Vec<SourceTable> = INFOS.iter().flat_map(suites::source_tables).collect();
        let rows = tables.iter().map(|_| Vec::new()).collect();
        let states = tables.iter().map(|table| state(table, &[], Progress::Idle)).collect();
        Self { tables, rows, states, queue: VecDeque::new(), running: None, device: device.clone(), wake }
    }

    /// For the panels.
    pub fn states(&self) -> &[SourceTableState] {
        &self.states
    }

    /// Whether times are being taken: nothing else should load the device.
    pub fn is_running(&self) -> bool {
        self.running.is_some()
    }

    /// Measures a table after those that wait.
    pub fn measure(&mut self, table: usize) {
        let is_running = self.running.as_ref().is_some_and(|running| running.table == table);
        if table < self.tables.len() && !is_running && !self.queue.contains(&table) {
            self.queue.push_back(table);
            self.rows[table].clear();
            self.set(table, Progress::Running { rounds: 0, part: 0.0 });
            self.states[table].is_queued = true;
        }
        self.start_next();
    }

    /// Stops after the current row, and forgets what waits.
    pub fn stop(&mut self) {
        for table in std::mem::take(&mut self.queue) {
            self.set(table, Progress::Idle);
        }
        if let Some(running) = &self.running {
            running.job.progress().cancel();
        }
    }

    /// Takes rows that are finished.
    pub fn update(&mut self) {
        let Some(running) = &mut self.running else { return };
        let table = running.table;
        let ended = running.job.poll();
        self.rows[table].extend(running.rows.try_iter());
        let (rounds, whole) = (self.rows[table].len(), self.tables[table].rows.len());
        let Some(ended) = ended else {
            return self.set(table, Progress::Running { rounds, part: rounds as f32 / whole.max(1) as f32 });
        };
        self.running = None;
        if let Err(why) = ended.and_then(|ended| ended) {
            // The same reason for each of them.
            self.rows[table].resize(whole, Err(why));
        }
        let end = if self.rows[table].len() < whole { End::Stopped } else { End::Clear };
        self.set(table, Progress::Done { rounds, end });
        self.start_next();
    }

    fn start_next(&mut self) {
        if self.running.is_some() {
            return;
        }
        let Some(table) = self.queue.pop_front() else { return };
        self.states[table].is_queued = false;
        let (send, rows) = channel();
        let (of, name, wake) = (self.tables[table], self.device.name.clone(), self.wake.clone());
        let ended = self.wake.clone();
        let job = Job::spawn("tables", move |progress| measure(&of, name, progress, &send, &wake));
        // Fails only if the window was closed meanwhile.
        job.on_end(move || drop(ended.send_event(UserEvent::Measured)));
        self.running = Some(Running { table, job, rows });
    }

    fn set(&mut self, table: usize, progress: Progress) {
        self.states[table] = state(&self.tables[table], &self.rows[table], progress);
        self.states[table].card.subject = device_line(&self.device);
    }
}

fn state(table: &SourceTable, rows: &[MeasuredRow], progress: Progress) -> SourceTableState {
    let card = Card { progress, tables: vec![table.card(rows)], ..Card::default() };
    SourceTableState { title: table.title, notes: table.notes(rows), card, is_queued: false }
}

/// The device is opened for the table and closed after it.
fn measure(
    table: &SourceTable,
    device: String,
    progress: &job::Progress,
    rows: &Sender<MeasuredRow>,
    wake: &EventLoopProxy<UserEvent>,
) -> Result<(), String> {
    let options = Options { gpu: Some(device), ..Options::default() };
    let mut bench = TestBench::new(&options).map_err(|why| why.to_string())?;
    for row in table.rows {
        if progress.is_cancelled() {
            break;
        }
        let measured = table.measure(&mut bench, &BenchOptions::default(), row);
        // Both fail only if the window was closed meanwhile.
        if rows.send(measured).is_err() || wake.send_event(UserEvent::Measured).is_err() {
            break;
        }
    }
    Ok(())
}
