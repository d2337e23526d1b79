//! Captured resources that a window displays: pictures, figures, texels and table rows, frame by frame.

use super::final_texels::{FinalTexels, SeenTexels};
use super::refresh::Refresh;
use super::table::records_array;
use super::texels::{Texels, clamped};
use super::{
    figures::{Figures, FiguresPass, FiguresReadBack},
    picture::{Picture, PictureLook, PictureView, Pictures, is_encoded},
};
use crate::{
    base::{array::Array, timing::FrameTiming},
    gpu::{
        CapturePoint, Captured, Format, Frame, Gpu, Image, ImageView, PassCapture, PassResources, ReadBack,
        ResourceShape, Result, records::Records,
    },
    techniques::OutputReadBack,
};
use std::{collections::BTreeMap, ops::Range, sync::Arc};

/// Some passes run once only.
const REPEATS_MOST: u32 = 4;

#[derive(Clone, Debug, PartialEq)]
pub struct Pin {
    pub id: u64,
    pub point: CapturePoint,
    pub picture: Option<PinPicture>,
    /// Left, top, width, height, clamped to the image.
    pub texels: Option<[u32; 4]>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PinPicture {
    /// Pixels of the target: left, top, right, bottom.
    pub rect: [i32; 4],
    /// Without a range by the 1st and 99th percentile.
    pub view: PictureView,
    pub is_automatic: bool,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct PinResult {
    pub image: Option<([u32; 2], Format)>,
    pub figures: Option<Figures>,
    /// Values shown as black and as white.
    pub range: Option<[f32; 2]>,
    pub texels: Option<Texels>,
    pub bytes: Option<(Range<u64>, Vec<u8>)>,
    pub problem: Option<String>,
}

enum Pending {
    Figures(FiguresReadBack),
    Texels([u32; 4], Format, ReadBack),
    Bytes(Range<u64>, ReadBack),
}

#[derive(Debug)]
pub struct SavedResource {
    pub point: CapturePoint,
    pub array: std::result::Result<Array, String>,
}

#[derive(Default)]
struct Saves {
    requested: Vec<CapturePoint>,
    captured: usize,
    /// With the records of a buffer.
    pending: Vec<(u64, CapturePoint, OutputReadBack, Option<Arc<Records>>)>,
    done: Vec<SavedResource>,
}

#[derive(Default)]
struct Requests {
    capture: PassCapture,
    points: Vec<CapturePoint>,
    once: Vec<CapturePoint>,
    refresh: Refresh,
}

impl Requests {
    /// Before a frame: copies unless the last ones are new enough; `must`: in any case.
    fn begin(&mut self, points: Vec<CapturePoint>, must: bool) {
        let is_due = points != self.points || !self.once.is_empty() || must || self.refresh.is_due();
        if points != self.points {
            self.capture.set_points(&points);
            self.points = points;
        }
        if is_due {
            self.refresh.copy();
        }
        self.capture.pause(!is_due);
    }
}

struct Display {
    pictures: Pictures,
    figures: Option<FiguresPass>,
    gpu: Arc<Gpu>,
}

struct CapturedImage {
    image: Image,
    is_new: bool,
    picture: Picture,
}

pub struct Pins {
    requests: Requests,
    watch: FinalTexels,
    pins: Vec<Pin>,
    passes: Vec<String>,
    known: Vec<PassResources>,
    images: BTreeMap<u64, CapturedImage>,
    /// Frames in which passes were repeated for a resource that has not been captured yet.
    repeats: u32,
    saves: Saves,
    display: Display,
    pending: Vec<(u64, u64, Pending)>,
    results: BTreeMap<u64, PinResult>,
}

impl Pins {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            requests: Requests::default(),
            watch: FinalTexels::default(),
            pins: Vec::new(),
            passes: Vec::new(),
            known: Vec::new(),
            images: BTreeMap::new(),
            repeats: 0,
            saves: Saves::default(),
            display: Display { pictures: Pictures::new(gpu), figures: None, gpu: gpu.clone() },
            pending: Vec::new(),
            results: BTreeMap::new(),
        }
    }

    pub fn set(&mut self, pins: Vec<Pin>, passes: Vec<String>) {
        if self.passes != passes {
            (self.passes, self.repeats) = (passes, 0);
            if self.passes.is_empty() {
                self.known.clear();
            }
        }
        let all = |pins: &[Pin]| pins.iter().map(|pin| (pin.id, pin.point.clone())).collect::<Vec<_>>();
        let (before, now) = (all(&self.pins), all(&pins));
        self.pins = pins;
        let is_saving = self.saves.requested.len() != self.saves.captured;
        if before == now && !is_saving {
            return;
        }
        self.repeats = 0;
        // Other bytes of the same buffer: the last ones are shown until they arrive.
        let whole = |point: &CapturePoint| CapturePoint { bytes: 0..0, ..point.clone() };
        let is_known = |id: u64, now: &CapturePoint| before.iter().any(|(i, p)| *i == id && whole(p) == whole(now));
        let stays = |id: u64| now.iter().any(|(i, point)| *i == id && is_known(id, point));
        self.images.retain(|id, _| stays(*id));
        self.results.retain(|id, _| stays(*id));
        self.pending.retain(|(_, id, _)| stays(*id));
        self.saves.captured = self.saves.requested.len();
    }

    #[cfg(test)]
    pub(super) fn refresh_every(&mut self, refresh: std::time::Duration) {
        self.requests.refresh.set_least(refresh);
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        self.requests.refresh.on_timing(timing);
    }

    pub fn final_image(&mut self) -> &mut FinalTexels {
        &mut self.watch
    }

    pub fn seen(&self) -> Option<&SeenTexels> {
        self.watch.seen()
    }

    pub fn capture_once(&mut self, points: Vec<CapturePoint>) {
        self.requests.once.extend(points);
    }

    pub fn count_invocations(&mut self, pass: Option<&str>) {
        self.requests.capture.count_invocations(pass.map(str::to_owned).into_iter().collect());
    }

    /// Valid from the end of that frame to the beginning of the next.
    pub fn captured_once(&self) -> &PassCapture {
        &self.requests.capture
    }

    pub fn save(&mut self, point: CapturePoint) {
        self.saves.requested.push(CapturePoint { bytes: 0..u64::MAX, ..point });
    }

    pub fn take_saved(&mut self) -> Vec<SavedResource> {
        std::mem::take(&mut self.saves.done)
    }

    pub fn passes(&self) -> &[PassResources] {
        &self.known
    }

    /// The next frame should record passes that it could omit: a resource of them has not been captured yet.
    pub fn awaits_passes(&self) -> bool {
        self.awaited_passes().next().is_some()
    }

    pub fn awaited_passes(&self) -> impl Iterator<Item = &str> {
        let is_unknown = |pass: &&str| !self.known.iter().any(|known| known.pass == *pass);
        let is_missing = |pin: &&Pin| {
            let result = self.results.get(&pin.id);
            !self.images.contains_key(&pin.id) && result.is_none_or(|result| result.bytes.is_none())
        };
        let saved = self.saves.requested.iter().take(self.saves.captured).map(|point| point.pass.as_str());
        let unknown = self.passes.iter().map(String::as_str).filter(is_unknown);
        let missing = self.pins.iter().filter(is_missing).map(|pin| pin.point.pass.as_str());
        saved.chain(unknown).chain(missing).filter(|_| self.repeats < REPEATS_MOST)
    }

    pub fn results(&self) -> &BTreeMap<u64, PinResult> {
        &self.results
    }

    pub fn is_active(&self) -> bool {
        let is_capturing = !self.pins.is_empty() || self.saves.captured > 0 || !self.requests.once.is_empty();
        is_capturing || !self.passes.is_empty() || self.watch.is_active()
    }

    pub fn is_behind(&self) -> bool {
        self.is_active() && self.requests.capture.is_paused()
    }

    pub fn begin(&mut self, frame: &mut Frame) {
        let saved = self.saves.requested.iter().take(self.saves.captured);
        let points: Vec<_> =
            self.pins.iter().map(|pin| &pin.point).chain(saved).chain(&self.requests.once).cloned().collect();
        let must = self.saves.captured > 0 || self.awaits_passes();
        self.requests.begin(points, must);
        if self.is_active() {
            frame.begin_capture(std::mem::take(&mut self.requests.capture));
        }
    }

    pub fn end(&mut self, frame: &mut Frame, target: &ImageView) -> Result<()> {
        if !self.is_active() {
            return Ok(());
        }
        self.requests.capture = frame.end_capture();
        self.requests.once.clear();
        self.watch.read(frame, target, self.requests.capture.passes())?;
        self.repeats += u32::from(self.awaits_passes());
        for pass in self.requests.capture.passes() {
            self.known.retain(|known| known.pass != pass.pass);
        }
        self.known.extend_from_slice(self.requests.capture.passes());
        let number = frame.number();
        for (pin, (point, captured)) in self.pins.iter().zip(self.requests.capture.captured()) {
            let result = self.results.entry(pin.id).or_default();
            let is_known = self.requests.capture.passes().iter().any(|pass| pass.pass == point.pass);
            let ran = self.known.iter().any(|pass| pass.pass == point.pass);
            result.problem = match captured {
                Some(Captured::Image(image)) => {
                    let picture = self.images.remove(&pin.id).map(|before| before.picture).unwrap_or_default();
                    self.images.insert(pin.id, CapturedImage { image: image.clone(), is_new: true, picture });
                    None
                }
                Some(Captured::Buffer(read)) => {
                    let pending = Pending::Bytes(point.bytes.clone(), read.clone());
                    self.pending.push((number, pin.id, pending));
                    None
                }
                None if self.requests.capture.is_paused() => continue,
                None if is_known && lacks_binding(self.requests.capture.passes(), point) => {
                    let has_last = self.images.contains_key(&pin.id) || result.bytes.is_some();
                    (!has_last).then(|| format!("{} runs without {} in this frame.", point.pass, point.binding))
                }
                None if is_known || !ran => Some(self.requests.capture.why_not(point)),
                None if self.images.contains_key(&pin.id) || result.bytes.is_some() => None,
                None => Some("It runs when the picture changes.".into()),
            };
        }
        self.read_saves(frame)?;
        for pin in self.pins.clone() {
            if let Some(mut captured) = self.images.remove(&pin.id) {
                self.show(frame, &pin, &mut captured, target)?;
                captured.is_new = false;
                self.images.insert(pin.id, captured);
            }
        }
        Ok(())
    }

    fn read_saves(&mut self, frame: &mut Frame) -> Result<()> {
        if self.saves.captured == 0 {
            return Ok(());
        }
        let captured: Vec<_> =
            self.requests.capture.captured().skip(self.pins.len()).take(self.saves.captured).collect();
        let is_complete = captured.iter().all(|(_, captured)| captured.is_some());
        if !is_complete && self.repeats < REPEATS_MOST {
            return Ok(());
        }
        for (point, captured) in captured {
            let Some(captured) = captured else {
                let why = Err(self.requests.capture.why_not(point));
                self.saves.done.push(SavedResource { point: point.clone(), array: why });
                continue;
            };
            let records = matches!(captured, Captured::Buffer(_)).then(|| self.records_of(point));
            let read = OutputReadBack::of(frame, captured)?;
            self.saves.pending.push((frame.number(), point.clone(), read, records));
        }
        self.saves.requested.clear();
        self.saves.captured = 0;
        Ok(())
    }

    fn records_of(&self, point: &CapturePoint) -> Arc<Records> {
        let passes = self.known.iter().filter(|pass| pass.pass == point.pass);
        let mut resources = passes.flat_map(|pass| &pass.resources).filter(|found| found.binding == point.binding);
        match resources.next_back().map(|resource| &resource.shape) {
            Some(ResourceShape::Buffer { records, .. }) => records.clone(),
            _ => Arc::default(),
        }
    }

    fn show(
        &mut self,
        frame: &mut Frame,
        pin: &Pin,
        CapturedImage { image, is_new, picture: shown }: &mut CapturedImage,
        target: &ImageView,
    ) -> Result<()> {
        let (number, format) = (frame.number(), image.format());
        let result = self.results.entry(pin.id).or_default();
        result.image = Some((image.size(), format));
        if let Some(picture) = pin.picture {
            let mut view = picture.view;
            if picture.is_automatic {
                view.range = automatic(result.figures.as_ref(), format, &view);
            }
            result.range = Some(view.range);
            self.display.pictures.draw(frame, shown, (image, *is_new), &view, picture.rect, target)?;
            let awaits =
                self.pending.iter().any(|(_, id, pending)| *id == pin.id && matches!(pending, Pending::Figures(_)));
            let is_due = !self.requests.capture.is_paused() && self.requests.refresh.has_figures();
            if !awaits && (result.figures.is_none() || is_due) {
                let pass = match &self.display.figures {
                    Some(pass) => pass,
                    None => self.display.figures.insert(FiguresPass::new(&self.display.gpu)?),
                };
                let read = pass.record(frame, image, view.channel)?;
                self.pending.push((number, pin.id, Pending::Figures(read)));
            }
        }
        if let Some(region) = pin.texels.and_then(|region| clamped(region, image.size())) {
            let read = frame.read_region(&image.mip(0), region)?;
            self.pending.push((number, pin.id, Pending::Texels(region, format, read)));
        }
        Ok(())
    }

    pub fn on_frame_end(&mut self, number: u64) -> Result<bool> {
        let mut is_new = false;
        for (_, id, pending) in self.pending.extract_if(.., |(frame, ..)| *frame <= number) {
            let Some(result) = self.results.get_mut(&id) else { continue };
            match pending {
                Pending::Figures(read) => {
                    let figures = Some(read.figures()?);
                    is_new |= std::mem::replace(&mut result.figures, figures) != result.figures;
                }
                Pending::Texels(region, format, read) => {
                    let texels = Some(Texels { region, format, bytes: read.read()? });
                    is_new |= std::mem::replace(&mut result.texels, texels) != result.texels;
                }
                Pending::Bytes(range, read) => {
                    let bytes = Some((range, read.read()?));
                    is_new |= std::mem::replace(&mut result.bytes, bytes) != result.bytes;
                }
            }
        }
        is_new |= self.watch.on_frame_end(number)?;
        for (_, point, read, records) in self.saves.pending.extract_if(.., |(frame, ..)| *frame <= number) {
            let array = read.array()?;
            let array = match records {
                Some(records) => records_array(array.bytes, &records),
                None => array,
            };
            self.saves.done.push(SavedResource { point, array: Ok(array) });
            is_new = true;
        }
        Ok(is_new)
    }
}

fn lacks_binding(passes: &[PassResources], point: &CapturePoint) -> bool {
    let mut resources =
        passes.iter().filter(|pass| pass.pass == point.pass).flat_map(|pass| &pass.resources).peekable();
    resources.peek().is_some() && resources.all(|resource| resource.binding != point.binding)
}

/// Encoded colours in full; other colours up to the 97th percentile, times the given range; else the 1st to the 99th
/// percentile, the whole range if those are equal.
pub(super) fn automatic(figures: Option<&Figures>, format: Format, view: &PictureView) -> [f32; 2] {
    let Some(figures) = figures.filter(|_| !is_encoded(format)) else { return view.range };
    let part = |part| figures.percentile(part).map(|number| number as f32);
    if view.look == PictureLook::Colour {
        let white = part(0.97).filter(|white| *white > 0.0).unwrap_or(1.0);
        return view.range.map(|end| end * white);
    }
    let range = part(0.01).zip(part(0.99)).filter(|(low, high)| low < high).map(|(low, high)| [low, high]);
    let whole = figures.range.map(|range| range.map(|number| number as f32));
    range.or(whole).filter(|[low, high]| low < high).unwrap_or([0.0, 1.0])
}
