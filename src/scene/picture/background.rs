//! Background picture at the size of the window: from a file, or a built-in one painted for that size.

use super::clip_frames::{ClipFrame, ClipFrames};
use super::fitting::fitted;
use super::{GREY, Motif, paint_strip};
use crate::Fit;
use base::job::Job;
use media::{
    clip::Clip,
    light_picture::{FlatPicture, LightPicture},
    picture::Picture,
    resample::Crop,
};
use std::sync::Arc;

#[derive(Clone)]
pub enum LoadMode {
    Block,
    /// The callback is called when the new one is ready.
    Background(Arc<dyn Fn() + Send + Sync>),
}

#[derive(Debug)]
pub enum Fresh {
    Display(Arc<Picture>),
    Light(Arc<LightPicture>),
    Frame(ClipFrame),
    /// It scrolls: higher than the window, and its lower border meets its upper one.
    Strip(Arc<Picture>),
}

fn is_strip(picture: [u32; 2], window: [u32; 2]) -> bool {
    picture == [window[0], 2 * window[1]]
}

type Painting = (Motif, [u32; 2]);

pub struct Background {
    file: Option<FlatPicture>,
    patience: LoadMode,
    /// Shown until the first one is painted.
    poster: Arc<Picture>,
    painted: Option<(Option<Motif>, Arc<Picture>)>,
    painting: Option<(Painting, Job<Picture>)>,
    given: Option<(FlatPicture, Fit, [u32; 2])>,
    frames: Option<ClipFrames>,
    clip_s: f64,
    is_behind: bool,
}

impl Background {
    pub fn new(file: Option<FlatPicture>, patience: LoadMode) -> Self {
        let poster = Arc::new(Picture::from_fn([1, 1], |_, _| GREY));
        let (frames, clip_s, is_behind) = (None, 0.0, false);
        Self { file, patience, poster, painted: None, painting: None, given: None, frames, clip_s, is_behind }
    }

    pub fn with_poster(self, poster: Arc<Picture>) -> Self {
        Self { poster, ..self }
    }

    pub fn set_file(&mut self, file: Option<FlatPicture>) {
        self.file = file;
    }

    pub fn set_clip_time(&mut self, seconds: f64) {
        self.clip_s = seconds;
    }

    pub fn is_behind(&self) -> bool {
        self.is_behind
    }

    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    pub fn forget(&mut self) {
        self.given = None;
    }

    /// If it differs from the last call's. `is_brief`: it is replaced soon, so another size of a built-in one will do.
    pub fn fresh(&mut self, motif: Motif, fit: Fit, size: [u32; 2], is_brief: bool) -> Option<Fresh> {
        self.is_behind = false;
        let source = match &self.file {
            Some(FlatPicture::Moving(clip)) => return self.fresh_frame(&clip.clone(), fit, size),
            Some(file) => file.clone(),
            None => FlatPicture::Display(self.built_in(motif, size, is_brief)),
        };
        self.frames = None;
        if !self.gives(&source, fit, size) {
            return None;
        }
        let crop = if self.file.is_none() { Crop::TopLeft } else { Crop::Middle };
        let is_whole = fit == Fit::Contain && self.file.is_some();
        Some(match source {
            FlatPicture::Display(picture) if self.file.is_none() && is_strip(picture.size, size) => {
                Fresh::Strip(picture)
            }
            FlatPicture::Display(picture) if picture.size == size => Fresh::Display(picture),
            FlatPicture::Display(picture) => Fresh::Display(Arc::new(fitted(&*picture, size, is_whole, crop))),
            FlatPicture::Light(light) if light.size == size => Fresh::Light(light),
            FlatPicture::Light(light) => Fresh::Light(Arc::new(fitted(&*light, size, is_whole, crop))),
            FlatPicture::Moving(_) => return None,
        })
    }

    fn fresh_frame(&mut self, clip: &Arc<Clip>, fit: Fit, size: [u32; 2]) -> Option<Fresh> {
        let frames = match self.frames.take() {
            Some(frames) if frames.are_of(clip, fit, size) => frames,
            other => {
                let shown = other.and_then(|frames| frames.last_of(clip));
                let wake = match &self.patience {
                    LoadMode::Block => None,
                    LoadMode::Background(wake) => Some(wake.clone()),
                };
                ClipFrames::new(clip, fit, size, shown, wake)
            }
        };
        let frames = self.frames.insert(frames);
        let found = frames.at(self.clip_s);
        self.is_behind = found.is_none();
        let is_shown = self.given.as_ref().is_some_and(|(_, how, at)| (*how, *at) == (fit, size));
        let frame = match found {
            Some(frame) => frame,
            None if is_shown => return None,
            None => frames.substitute(),
        };
        let is_new = self.gives(&FlatPicture::Display(frame.picture.clone()), fit, size);
        is_new.then_some(Fresh::Frame(frame))
    }

    fn gives(&mut self, source: &FlatPicture, fit: Fit, size: [u32; 2]) -> bool {
        let same = |(given, how, at): &(FlatPicture, Fit, [u32; 2])| {
            given.address() == source.address() && (*how, *at) == (fit, size)
        };
        if self.given.as_ref().is_some_and(same) {
            return false;
        }
        self.given = Some((source.clone(), fit, size));
        true
    }

    /// Of a built-in one; begins to paint it where it is not there.
    pub fn is_painted(&mut self, motif: Motif, size: [u32; 2]) -> bool {
        if self.file.is_none() {
            self.built_in(motif, size, false);
        }
        self.file.is_some() || !std::mem::take(&mut self.is_behind)
    }

    fn built_in(&mut self, motif: Motif, size: [u32; 2], is_brief: bool) -> Arc<Picture> {
        self.collect();
        if let Some((of, picture)) = &self.painted
            && *of == Some(motif)
            && (picture.size == size || is_strip(picture.size, size))
        {
            return picture.clone();
        }
        if matches!(self.patience, LoadMode::Block) {
            let picture = Arc::new(paint_strip(motif, size));
            self.painted = Some((Some(motif), picture.clone()));
            return picture;
        }
        if let LoadMode::Background(wake) = &self.patience
            && self.painting.is_none()
            && !is_brief
        {
            let (job, wake) = (Job::spawn("picture", move |_| paint_strip(motif, size)), wake.clone());
            job.on_end(move || wake());
            self.painting = Some(((motif, size), job));
        }
        self.is_behind = !is_brief;
        self.painted.get_or_insert_with(|| (None, self.poster.clone())).1.clone()
    }

    fn collect(&mut self) {
        let Some(((motif, size), job)) = &mut self.painting else { return };
        let Some(picture) = job.poll() else { return };
        let picture = picture.unwrap_or_else(|_| Picture::from_fn(*size, |_, _| GREY));
        self.painted = Some((Some(*motif), Arc::new(picture)));
        self.painting = None;
    }
}

#[cfg(test)]
mod tests {
    use super::super::fitting::BORDER;
    use super::*;
    use media::resample;

    fn shown(background: &mut Background, motif: Motif, fit: Fit, size: [u32; 2]) -> Option<Arc<Picture>> {
        background.fresh(motif, fit, size, false).map(|fresh| match fresh {
            Fresh::Display(picture) | Fresh::Frame(ClipFrame { picture, .. }) | Fresh::Strip(picture) => picture,
            Fresh::Light(_) => panic!("no light was given"),
        })
    }

    #[test]
    fn light_is_scaled_once() {
        let light = LightPicture { size: [3, 5], texels: vec![[2.0, 1.0, 0.5]; 15] };
        let mut background = Background::new(Some(FlatPicture::Light(Arc::new(light))), LoadMode::Block);
        let Fresh::Light(covered) = background.fresh(Motif::Code, Fit::Cover, [64, 36], false).unwrap() else {
            panic!("no light")
        };
        assert_eq!((covered.size, covered.texels.len()), ([64, 36], 64 * 36));
        assert!(covered.texels.iter().flatten().zip([2.0, 1.0, 0.5].iter().cycle()).all(|(a, b)| (a - b).abs() < 1e-5));
        assert!(background.fresh(Motif::Code, Fit::Cover, [64, 36], false).is_none());
        let Fresh::Light(whole) = background.fresh(Motif::Code, Fit::Contain, [64, 36], false).unwrap() else {
            panic!("no light")
        };
        assert!(whole.texels[0][0] < 0.02 && (whole.texels[32][0] - 2.0).abs() < 1e-5);
    }
    use std::time::{Duration, Instant};

    #[test]
    fn waiting_gives_the_exact_picture_once() {
        let mut background = Background::new(None, LoadMode::Block);
        assert_eq!(shown(&mut background, Motif::Paper, Fit::Cover, [64, 36]).unwrap().size, [64, 36]);
        assert!(shown(&mut background, Motif::Paper, Fit::Cover, [64, 36]).is_none());
        assert!(shown(&mut background, Motif::Code, Fit::Cover, [64, 36]).is_some());
        let grey = Picture::from_fn([3, 5], |_, _| [9, 9, 9, 255]);
        background.set_file(Some(FlatPicture::Display(Arc::new(grey))));
        let covered = shown(&mut background, Motif::Code, Fit::Cover, [64, 36]).unwrap();
        assert_eq!((covered.size, covered.pixel(5, 5)), ([64, 36], [9, 9, 9, 255]));
        let whole = shown(&mut background, Motif::Code, Fit::Contain, [64, 36]).unwrap();
        assert_eq!([whole.pixel(5, 5), whole.pixel(32, 5)], [BORDER, [9, 9, 9, 255]]);
        background.set_file(None);
        assert_ne!(shown(&mut background, Motif::Paper, Fit::Cover, [64, 36]).unwrap().pixel(5, 5), [9, 9, 9, 255]);
    }

    #[test]
    fn going_on_shows_something_at_once_and_the_exact_picture_later() {
        let (send, woken) = std::sync::mpsc::channel();
        let send = std::sync::Mutex::new(send);
        let wake = Arc::new(move || drop(send.lock().map(|send| send.send(()))));
        let mut background = Background::new(None, LoadMode::Background(wake));
        assert_eq!(shown(&mut background, Motif::Code, Fit::Cover, [64, 36]).unwrap().size, [64, 36]);
        assert!(background.is_behind() && !background.is_painted(Motif::Paper, [64, 36]));
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        let painted = loop {
            match shown(&mut background, Motif::Code, Fit::Cover, [64, 36]) {
                Some(painted) => break painted,
                None => assert!(Instant::now() < until),
            }
        };
        assert_eq!(*painted, super::super::paint(Motif::Code, [64, 36]));
        assert!(!background.is_behind() && background.is_painted(Motif::Code, [64, 36]));
    }

    #[test]
    fn a_brief_picture_is_not_painted() {
        let wake = || panic!("something was painted");
        let mut background = Background::new(None, LoadMode::Background(Arc::new(wake)));
        let kept = background.fresh(Motif::Code, Fit::Cover, [64, 36], true);
        assert!(kept.is_some() && background.painting.is_none());
        assert!(background.fresh(Motif::Code, Fit::Cover, [64, 36], true).is_none());
        let mut background = Background::new(None, LoadMode::Block);
        background.fresh(Motif::Code, Fit::Cover, [64, 36], true);
        assert!(background.painted.is_some(), "there is no other");
    }

    #[test]
    fn the_poster_is_first_and_its_title_at_the_left_is_whole() {
        let poster = Arc::new(super::super::poster(&Picture::from_fn([16, 9], |_, _| GREY), [32, 18]));
        for size in [[48, 36], [36, 48], [90, 36]] {
            let background = Background::new(None, LoadMode::Background(Arc::new(|| ())));
            let mut background = background.with_poster(poster.clone());
            let shown = shown(&mut background, Motif::Dusk, Fit::Cover, size).unwrap();
            assert_eq!(*shown, resample::cover(&*poster, size, Crop::TopLeft));
        }
    }
}
