//! Captured resources that a window displays: pictures, figures, texels and table rows, frame by frame.

use super::refresh::Refresh;
use super::texels::Texels;
use super::{
    figures::{Figures, FiguresPass},
    picture::{Picture, PictureLook, PictureView, Pictures, is_encoded, is_unsigned},
};
use base::timing::FrameTiming;
use gpu::{CapturePoint, Captured, Format, Frame, Gpu, Image, ImageView, PassCapture, PassResources, Result};
use media::array::Array;
use std::{collections::BTreeMap, ops::Range, sync::Arc};
use technique::FrameRead;

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

/// Of the final image.
#[derive(Clone, Debug, PartialEq)]
pub struct SeenTexels {
    pub texels: Texels,
    /// The last pass that wrote it.
    pub writer: String,
}

enum ReadFor {
    Pin(u64, PinRead),
    Seen { writer: String },
    Saved(CapturePoint),
}

enum PinRead {
    Figures { is_unsigned: bool },
    Texels,
    Bytes(Range<u64>),
}

#[derive(Debug)]
pub struct SavedResource {
    pub point: CapturePoint,
    pub array: std::result::Result<Array, String>,
}

struct CapturedImage {
    image: Image,
    is_new: bool,
    picture: Picture,
}

pub struct Pins {
    capture: PassCapture,
    once: Vec<CapturePoint>,
    refresh: Refresh,
    watched: Option<[u32; 4]>,
    seen: Option<SeenTexels>,
    pins: Vec<Pin>,
    passes: Vec<String>,
    lists_all: bool,
    known: Vec<PassResources>,
    images: BTreeMap<u64, CapturedImage>,
    /// Frames in which passes were repeated for a resource that has not been captured yet.
    repeats: u32,
    to_save: Vec<CapturePoint>,
    saved: Vec<SavedResource>,
    pictures: Pictures,
    figures: Option<FiguresPass>,
    gpu: Arc<Gpu>,
    reads: Vec<(ReadFor, FrameRead)>,
    results: BTreeMap<u64, PinResult>,
}

impl Pins {
    pub fn new(gpu: &Arc<Gpu>) -> Self {
        Self {
            capture: PassCapture::default(),
            once: Vec::new(),
            refresh: Refresh::default(),
            watched: None,
            seen: None,
            pins: Vec::new(),
            passes: Vec::new(),
            lists_all: false,
            known: Vec::new(),
            images: BTreeMap::new(),
            repeats: 0,
            to_save: Vec::new(),
            saved: Vec::new(),
            pictures: Pictures::new(gpu),
            figures: None,
            gpu: gpu.clone(),
            reads: Vec::new(),
            results: BTreeMap::new(),
        }
    }

    /// Lists whatever runs, whether it is named or not.
    pub fn list_all(&mut self, lists_all: bool) {
        if std::mem::replace(&mut self.lists_all, lists_all) && !lists_all && self.passes.is_empty() {
            self.known.clear();
        }
    }

    pub fn set(&mut self, pins: Vec<Pin>, passes: Vec<String>) {
        if self.passes != passes {
            (self.passes, self.repeats) = (passes, 0);
            if self.passes.is_empty() && !self.lists_all {
                self.known.clear();
            }
        }
        let all = |pins: &[Pin]| pins.iter().map(|pin| (pin.id, pin.point.clone())).collect::<Vec<_>>();
        let (before, now) = (all(&self.pins), all(&pins));
        self.pins = pins;
        if before == now {
            return;
        }
        self.repeats = 0;
        // Other bytes of the same buffer: the last ones are shown until they arrive.
        let whole = |point: &CapturePoint| CapturePoint { bytes: 0..0, ..point.clone() };
        let is_known = |id: u64, now: &CapturePoint| before.iter().any(|(i, p)| *i == id && whole(p) == whole(now));
        let stays = |id: u64| now.iter().any(|(i, point)| *i == id && is_known(id, point));
        self.images.retain(|id, _| stays(*id));
        self.results.retain(|id, _| stays(*id));
        self.reads.retain(|(of, _)| !matches!(of, ReadFor::Pin(id, _) if !stays(*id)));
    }

    #[cfg(test)]
    pub(super) fn refresh_every(&mut self, refresh: std::time::Duration) {
        self.refresh.set_least(refresh);
    }

    pub fn on_timing(&mut self, timing: &FrameTiming) {
        self.refresh.on_timing(timing);
    }

    /// Texels of the final image of each frame.
    pub fn watch(&mut self, region: Option<[u32; 4]>) {
        self.watched = region;
        self.seen.take_if(|_| region.is_none());
    }

    pub fn seen(&self) -> Option<&SeenTexels> {
        self.seen.as_ref()
    }

    pub fn capture_once(&mut self, points: Vec<CapturePoint>) {
        self.once.extend(points);
    }

    pub fn count_invocations(&mut self, pass: Option<&str>) {
        self.capture.count_invocations(pass);
    }

    /// Valid from the end of that frame to the beginning of the next.
    pub fn captured_once(&self) -> &PassCapture {
        &self.capture
    }

    pub fn save(&mut self, point: CapturePoint) {
        self.to_save.push(CapturePoint { bytes: 0..u64::MAX, ..point });
        self.repeats = 0;
    }

    pub fn saved(&self) -> &[SavedResource] {
        &self.saved
    }

    pub fn take_saved(&mut self) -> Vec<SavedResource> {
        std::mem::take(&mut self.saved)
    }

    /// It is taken at a later frame.
    pub fn is_saving(&self) -> bool {
        !self.saved.is_empty() || self.reads.iter().any(|(of, _)| matches!(of, ReadFor::Saved(_)))
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
        let saved = self.to_save.iter().map(|point| point.pass.as_str());
        let unknown = self.passes.iter().map(String::as_str).filter(is_unknown);
        let missing = self.pins.iter().filter(is_missing).map(|pin| pin.point.pass.as_str());
        saved.chain(unknown).chain(missing).filter(|_| self.repeats < REPEATS_MOST)
    }

    pub fn results(&self) -> &BTreeMap<u64, PinResult> {
        &self.results
    }

    pub fn is_active(&self) -> bool {
        let is_capturing = !self.pins.is_empty() || !self.to_save.is_empty() || !self.once.is_empty();
        is_capturing || !self.passes.is_empty() || self.lists_all || self.watched.is_some()
    }

    pub fn is_behind(&self) -> bool {
        self.is_active() && self.capture.is_paused()
    }

    pub fn begin(&mut self, frame: &mut Frame) {
        let mut points: Vec<CapturePoint> = Vec::new();
        for point in self.pins.iter().map(|pin| &pin.point).chain(&self.to_save).chain(&self.once) {
            if !points.contains(point) {
                points.push(point.clone());
            }
        }
        let must = !self.to_save.is_empty() || self.awaits_passes();
        let is_new = self.capture.set_points(&points);
        let is_due = is_new || !self.once.is_empty() || must || self.refresh.is_due();
        if is_due {
            self.refresh.copy();
        }
        self.capture.pause(!is_due);
        if self.is_active() {
            frame.begin_capture(std::mem::take(&mut self.capture));
        }
    }

    pub fn end(&mut self, frame: &mut Frame, target: &ImageView) -> Result<()> {
        if !self.is_active() {
            return Ok(());
        }
        self.capture = frame.end_capture();
        self.once.clear();
        if let Some(region) = self.watched
            && let Some(read) = Texels::request(frame, target, region)?
        {
            let writes = |pass: &&PassResources| {
                pass.resources.iter().any(|resource| resource.is_written && resource.name == target.image().name())
            };
            let writer = self.capture.passes().iter().rfind(writes).map(|pass| pass.pass.clone());
            self.reads.push((ReadFor::Seen { writer: writer.unwrap_or_default() }, read));
        }
        self.repeats += u32::from(self.awaits_passes());
        for pass in self.capture.passes() {
            self.known.retain(|known| known.pass != pass.pass);
        }
        self.known.extend_from_slice(self.capture.passes());
        for pin in &self.pins {
            let point = &pin.point;
            let result = self.results.entry(pin.id).or_default();
            let is_known = self.capture.passes().iter().any(|pass| pass.pass == point.pass);
            let ran = self.known.iter().any(|pass| pass.pass == point.pass);
            result.problem = match self.capture.get(point) {
                Some(Captured::Image(image)) => {
                    let picture = self.images.remove(&pin.id).map(|before| before.picture).unwrap_or_default();
                    self.images.insert(pin.id, CapturedImage { image: image.clone(), is_new: true, picture });
                    None
                }
                Some(captured @ Captured::Buffer(..)) => {
                    let of = ReadFor::Pin(pin.id, PinRead::Bytes(point.bytes.clone()));
                    self.reads.push((of, FrameRead::of(frame, captured)?));
                    None
                }
                None if self.capture.is_paused() => continue,
                None if is_known && lacks_binding(self.capture.passes(), point) => {
                    let has_last = self.images.contains_key(&pin.id) || result.bytes.is_some();
                    (!has_last).then(|| format!("{} runs without {} in this frame.", point.pass, point.binding))
                }
                None if is_known || !ran => Some(self.capture.why_not(point)),
                None if self.images.contains_key(&pin.id) || result.bytes.is_some() => None,
                None => Some("It runs when the picture changes.".into()),
            };
        }
        self.read_saves(frame)
    }

    pub fn draw(&mut self, frame: &mut Frame, target: &ImageView) -> Result<()> {
        for pin in self.pins.clone() {
            if let Some(mut captured) = self.images.remove(&pin.id) {
                self.show(frame, &pin, &mut captured, target)?;
                captured.is_new = false;
                self.images.insert(pin.id, captured);
            }
        }
        Ok(())
    }

    /// Refuses what has not been captured; no frame has begun since the last.
    pub fn end_saves(&mut self) {
        let refused = |point| SavedResource { array: Err(self.capture.why_not(&point)), point };
        self.saved.extend(self.to_save.drain(..).map(refused));
    }

    fn read_saves(&mut self, frame: &mut Frame) -> Result<()> {
        for point in std::mem::take(&mut self.to_save) {
            match self.capture.get(&point) {
                Some(captured) => self.reads.push((ReadFor::Saved(point), FrameRead::of(frame, captured)?)),
                None => self.to_save.push(point),
            }
        }
        if self.repeats >= REPEATS_MOST {
            self.end_saves();
        }
        Ok(())
    }

    fn show(
        &mut self,
        frame: &mut Frame,
        pin: &Pin,
        CapturedImage { image, is_new, picture: shown }: &mut CapturedImage,
        target: &ImageView,
    ) -> Result<()> {
        let format = image.format();
        let result = self.results.entry(pin.id).or_default();
        result.image = Some((image.size(), format));
        if let Some(picture) = pin.picture {
            let mut view = picture.view;
            if picture.is_automatic {
                view.range = automatic(result.figures.as_ref(), format, &view);
            }
            result.range = Some(view.range);
            self.pictures.draw(frame, shown, (image, *is_new), &view, picture.rect, target)?;
            let is_of = |of: &ReadFor| matches!(of, ReadFor::Pin(id, PinRead::Figures { .. }) if *id == pin.id);
            let awaits = self.reads.iter().any(|(of, _)| is_of(of));
            let is_due = !self.capture.is_paused() && self.refresh.has_figures();
            if !awaits && (result.figures.is_none() || is_due) {
                let pass = match &self.figures {
                    Some(pass) => pass,
                    None => self.figures.insert(FiguresPass::new(&self.gpu)?),
                };
                let read = pass.record(frame, image, view.channel)?;
                let of = PinRead::Figures { is_unsigned: is_unsigned(format) };
                self.reads.push((ReadFor::Pin(pin.id, of), read));
            }
        }
        if let Some(region) = pin.texels
            && let Some(read) = Texels::request(frame, &image.mip(0), region)?
        {
            self.reads.push((ReadFor::Pin(pin.id, PinRead::Texels), read));
        }
        Ok(())
    }

    pub fn on_frame_end(&mut self, number: u64) -> Result<bool> {
        let mut is_new = false;
        for (of, read) in self.reads.extract_if(.., |(_, read)| read.frame() <= number) {
            is_new |= match of {
                ReadFor::Saved(point) => {
                    self.saved.push(SavedResource { point, array: Ok(read.array()?) });
                    true
                }
                ReadFor::Seen { writer } => {
                    let seen = Texels::of(&read)?.filter(|_| self.watched.is_some());
                    replaces(&mut self.seen, seen.map(|texels| SeenTexels { texels, writer }))
                }
                ReadFor::Pin(id, of) => {
                    let Some(result) = self.results.get_mut(&id) else { continue };
                    match of {
                        PinRead::Figures { is_unsigned } => {
                            replaces(&mut result.figures, Some(Figures::of(&read, is_unsigned)?))
                        }
                        PinRead::Texels => replaces(&mut result.texels, Texels::of(&read)?),
                        PinRead::Bytes(range) => replaces(&mut result.bytes, Some((range, read.bytes()?))),
                    }
                }
            };
        }
        Ok(is_new)
    }
}

fn replaces<T: PartialEq>(place: &mut T, new: T) -> bool {
    std::mem::replace(place, new) != *place
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
