//! Background picture at the size of the window: from a file, or a built-in one painted for that size.

use super::{Motif, paint};
use crate::{
    base::{
        job::Job,
        light_picture::{FlatPicture, LightPicture},
        picture::Picture,
        resample::{self, Crop},
        srgb::LINEAR_OF_BYTE,
    },
    scene::Fit,
};
use std::sync::Arc;

/// The first motif, stored in assets/ for use while the exact one is being painted.
const KEPT: &[u8] = include_bytes!("../../../assets/textures/dusk.png");

/// Colour beside a picture that is shown whole.
const BORDER: [u8; 4] = [18, 19, 22, 255];

/// In place of a picture that cannot be made.
const GREY: [u8; 4] = [40, 40, 48, 255];

/// Behaviour while a built-in picture or world is being built (some tenths of a second).
#[derive(Clone)]
pub enum LoadMode {
    /// Wait: every frame is correct.
    Block,
    /// Continue with the old one; call this when the new one is ready to be drawn.
    Background(Arc<dyn Fn() + Send + Sync>),
}

/// Motif and size of a picture that is painted.
type Painting = (Motif, [u32; 2]);

/// Source of the background picture.
pub struct Background {
    file: Option<FlatPicture>,
    patience: LoadMode,
    /// The latest painted picture, and its motif.
    painted: Option<(Option<Motif>, Arc<Picture>)>,
    painting: Option<(Painting, Job<Picture>)>,
    /// Result of the last call.
    given: Option<(FlatPicture, Fit, [u32; 2])>,
}

impl Background {
    /// `file`: a picture that replaces the built-in one.
    #[must_use]
    pub fn new(file: Option<FlatPicture>, patience: LoadMode) -> Self {
        Self { file, patience, painted: None, painting: None, given: None }
    }

    /// Uses this picture; `None`: the built-in one.
    pub fn set_file(&mut self, file: Option<FlatPicture>) {
        self.file = file;
    }

    /// Whether a file's picture is shown.
    #[must_use]
    pub fn has_file(&self) -> bool {
        self.file.is_some()
    }

    /// Makes the next call of [`fresh`](Self::fresh) return a picture in any case.
    pub fn forget(&mut self) {
        self.given = None;
    }

    /// The picture of exactly `size`, if it differs from the last call's.
    pub fn fresh(&mut self, motif: Motif, fit: Fit, size: [u32; 2]) -> Option<FlatPicture> {
        let source = match &self.file {
            Some(file) => file.clone(),
            None => FlatPicture::Display(self.built_in(motif, size)),
        };
        let same = |(given, how, at): &(FlatPicture, Fit, [u32; 2])| {
            given.address() == source.address() && (*how, *at) == (fit, size)
        };
        if self.given.as_ref().is_some_and(same) {
            return None;
        }
        self.given = Some((source.clone(), fit, size));
        // A built-in picture is painted in the window's shape soon. Its title and charts start at the top left corner.
        let crop = if self.file.is_none() { Crop::TopLeft } else { Crop::Middle };
        let is_whole = fit == Fit::Contain && self.file.is_some();
        Some(match source {
            source if source.size() == size => source,
            FlatPicture::Display(picture) => FlatPicture::Display(Arc::new(match is_whole {
                true => resample::contain(&picture, size, BORDER),
                false => resample::cover(&picture, size, crop),
            })),
            FlatPicture::Light(picture) => FlatPicture::Light(Arc::new(fitted(&picture, size, is_whole))),
        })
    }

    fn built_in(&mut self, motif: Motif, size: [u32; 2]) -> Arc<Picture> {
        self.collect();
        if let Some((of, picture)) = &self.painted
            && *of == Some(motif)
            && picture.size == size
        {
            return picture.clone();
        }
        if matches!(self.patience, LoadMode::Block) {
            let picture = Arc::new(paint(motif, size));
            self.painted = Some((Some(motif), picture.clone()));
            return picture;
        }
        if let LoadMode::Background(wake) = &self.patience
            && self.painting.is_none()
        {
            let (job, wake) = (Job::spawn("picture", move |_| paint(motif, size)), wake.clone());
            job.on_end(move || wake());
            self.painting = Some(((motif, size), job));
        }
        if self.painted.is_none() {
            // Not painted yet: the stored one. If it were damaged, a grey field would replace it.
            let kept = Picture::decode(KEPT).unwrap_or_else(|_| Picture::from_fn([1, 1], |_, _| GREY));
            self.painted = Some((None, Arc::new(kept)));
        }
        self.painted.as_ref().map_or_else(|| Arc::new(paint(motif, size)), |(_, picture)| picture.clone())
    }

    fn collect(&mut self) {
        let Some(((motif, size), job)) = &mut self.painting else { return };
        let Some(picture) = job.poll() else { return };
        // A failure was logged; the same picture is not tried again.
        let picture = picture.unwrap_or_else(|_| Picture::from_fn(*size, |_, _| GREY));
        self.painted = Some((Some(*motif), Arc::new(picture)));
        self.painting = None;
    }
}

fn fitted(picture: &LightPicture, size: [u32; 2], is_whole: bool) -> LightPicture {
    let border = [0, 1, 2].map(|channel| LINEAR_OF_BYTE[usize::from(BORDER[channel])]);
    if is_whole {
        resample::contain_light(picture, size, border)
    } else {
        resample::cover_light(picture, size, Crop::Middle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The next picture, of display values.
    fn shown(background: &mut Background, motif: Motif, fit: Fit, size: [u32; 2]) -> Option<Arc<Picture>> {
        background.fresh(motif, fit, size).map(|fresh| match fresh {
            FlatPicture::Display(picture) => picture,
            FlatPicture::Light(_) => panic!("no light was given"),
        })
    }

    #[test]
    fn light_is_scaled_once() {
        let light = LightPicture { size: [3, 5], texels: vec![[2.0, 1.0, 0.5]; 15] };
        let mut background = Background::new(Some(FlatPicture::Light(Arc::new(light))), LoadMode::Block);
        let FlatPicture::Light(covered) = background.fresh(Motif::Code, Fit::Cover, [64, 36]).unwrap() else {
            panic!("no light")
        };
        assert_eq!((covered.size, covered.texels.len()), ([64, 36], 64 * 36));
        assert!(covered.texels.iter().flatten().zip([2.0, 1.0, 0.5].iter().cycle()).all(|(a, b)| (a - b).abs() < 1e-5));
        assert!(background.fresh(Motif::Code, Fit::Cover, [64, 36]).is_none());
        let FlatPicture::Light(whole) = background.fresh(Motif::Code, Fit::Contain, [64, 36]).unwrap() else {
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
        woken.recv_timeout(Duration::from_secs(60)).unwrap();
        let until = Instant::now() + Duration::from_secs(10);
        let painted = loop {
            match shown(&mut background, Motif::Code, Fit::Cover, [64, 36]) {
                Some(painted) => break painted,
                None => assert!(Instant::now() < until),
            }
        };
        assert_eq!(*painted, paint(Motif::Code, [64, 36]));
    }

    #[test]
    fn the_title_at_the_left_is_whole_from_the_first_frame_on() {
        let kept = Picture::decode(KEPT).unwrap();
        for size in [[48, 36], [36, 48], [90, 36]] {
            let mut background = Background::new(None, LoadMode::Background(Arc::new(|| ())));
            let first = shown(&mut background, Motif::Dusk, Fit::Cover, size).unwrap();
            assert_eq!(*first, resample::cover(&kept, size, Crop::TopLeft));
        }
    }
}
