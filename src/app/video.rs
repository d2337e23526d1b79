//! Files of recordings: MP4 by the `ffmpeg` of this machine, else an animated PNG.

use super::folders::free_name;
use anyhow::{Context as _, Result, anyhow, ensure};
use base::file::AtomicFile;
use media::picture::Picture;
use media::png::{Animation, Effort};
use media::resample::stretch;
use std::ffi::OsStr;
use std::io::{ErrorKind, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

pub const FFMPEG: &str = "ffmpeg";

/// Every player shows that.
const MP4_WIDTH: u32 = 1920;
const MP4_RATE: u32 = 30;
/// It is compressed without loss: larger ones are too large to send.
const PNG_WIDTH: u32 = 960;
const PNG_RATE: u32 = 20;
const PNG_MOST_S: u32 = 20;

/// For which `ffmpeg` may take nothing; its end may take thrice as long.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 20 });
const LOOK: Duration = Duration::from_millis(20);
const MOST_SAID: u64 = 1 << 14;

/// What recordings become here.
pub fn kind() -> &'static str {
    let has_ffmpeg = |folder: PathBuf| folder.join(FFMPEG).with_extension(std::env::consts::EXE_EXTENSION).is_file();
    match std::env::var_os("PATH").is_some_and(|path| std::env::split_paths(&path).any(has_ffmpeg)) {
        true => "MP4",
        false => "Animated PNG, 20 s at most; MP4 needs ffmpeg",
    }
}

#[derive(Debug)]
pub struct SavedFile {
    pub file: PathBuf,
    /// What is to be known of it.
    pub note: Option<&'static str>,
}

pub struct Video {
    file: PathBuf,
    part: AtomicFile,
    size: [u32; 2],
    encoder: Encoder,
}

enum Encoder {
    Mp4(Ffmpeg),
    Png(Box<Animation>),
}

impl Video {
    /// `program`: `ffmpeg`, if it is there.
    pub fn create(folder: &Path, size: [u32; 2], program: &OsStr) -> Result<Self> {
        let begin = |ending| {
            let file = free_name(folder, "Meniscus", ending);
            AtomicFile::create(&file).map(|part| (file, part))
        };
        let (file, part) = begin("mp4")?;
        match Ffmpeg::start(program, size, part.place().unwrap_or(&file)) {
            Ok(ffmpeg) => return Ok(Self { file, part, size, encoder: Encoder::Mp4(ffmpeg) }),
            Err(why) if why.kind() == ErrorKind::NotFound => {}
            Err(why) => log::warn!("{FFMPEG} does not start: {why}"),
        }
        drop(part);
        let (file, part) = begin("png")?;
        let size = within(size, PNG_WIDTH);
        let animation = Animation::new(size, PNG_MOST_S * PNG_RATE, [1, PNG_RATE as u16], Effort::Least)?;
        Ok(Self { file, part, size, encoder: Encoder::Png(Box::new(animation)) })
    }

    /// Frames a second.
    pub fn rate(&self) -> u32 {
        if self.most_s().is_some() { PNG_RATE } else { MP4_RATE }
    }

    pub fn most_s(&self) -> Option<u32> {
        matches!(self.encoder, Encoder::Png(_)).then_some(PNG_MOST_S)
    }

    pub fn frame(&mut self, picture: &Picture) -> Result<()> {
        match &mut self.encoder {
            Encoder::Mp4(ffmpeg) => ffmpeg.frame(&picture.rgba),
            Encoder::Png(animation) if picture.size == self.size => animation.frame(picture.clone()),
            Encoder::Png(animation) => animation.frame(stretch(picture, self.size)),
        }
    }

    /// So far.
    pub fn bytes(&self) -> u64 {
        match &self.encoder {
            Encoder::Mp4(_) => self.part.place().and_then(|part| part.metadata().ok()).map_or(0, |part| part.len()),
            Encoder::Png(animation) => animation.length() as u64,
        }
    }

    pub fn end(self) -> Result<SavedFile> {
        let Self { file, mut part, encoder, .. } = self;
        let note = match encoder {
            Encoder::Mp4(ffmpeg) => {
                ffmpeg.end()?;
                None
            }
            Encoder::Png(animation) => {
                part.write_all(&animation.end()?).with_context(|| format!("cannot write {}", file.display()))?;
                Some("MP4 needs ffmpeg; this is an animated PNG, which has at most 20 s.")
            }
        };
        part.commit()?;
        Ok(SavedFile { file, note })
    }
}

fn within([width, height]: [u32; 2], most: u32) -> [u32; 2] {
    let by = f64::from(most.min(width)) / f64::from(width.max(1));
    [width, height].map(|side| ((f64::from(side) * by).round() as u32).max(1))
}

/// Raw frames go to its standard input.
struct Ffmpeg {
    child: Arc<Mutex<Child>>,
    input: Option<ChildStdin>,
    said: Receiver<String>,
    /// Whether a frame is being written.
    writes: Sender<bool>,
}

impl Ffmpeg {
    fn start(program: &OsStr, size: [u32; 2], part: &Path) -> std::io::Result<Self> {
        let [width, height] = within(size, MP4_WIDTH).map(|side| (side & !1).max(2));
        let filter = format!("scale={width}:{height}:out_color_matrix=bt709:out_range=tv,format=yuv420p");
        let (size, rate) = (format!("{}x{}", size[0], size[1]), MP4_RATE.to_string());
        let mut command = Command::new(program);
        command.args(["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pixel_format", "rgba"]);
        command.args(["-video_size", &size, "-framerate", &rate, "-i", "pipe:0", "-vf", &filter]);
        // The encoder of this machine for H.264; what one does not know is left out.
        command.args(["-c:v", "h264", "-preset", "veryfast", "-crf", "20", "-b:v", "8M"]);
        for tag in ["-colorspace", "-color_primaries", "-color_trc"] {
            command.args([tag, "bt709"]);
        }
        command.args(["-color_range", "tv", "-movflags", "+faststart", "-f", "mp4"]).arg(part);
        command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        apart(&mut command);
        let mut child = command.spawn()?;
        let (input, errors) = (child.stdin.take(), child.stderr.take());
        let (say, said) = channel();
        let listen = move || {
            let Some(mut errors) = errors else { return };
            let mut text = Vec::new();
            let _ = errors.by_ref().take(MOST_SAID).read_to_end(&mut text);
            let text = String::from_utf8_lossy(&text);
            let _ = say.send(text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or_default().trim().to_owned());
            let _ = std::io::copy(&mut errors, &mut std::io::sink());
        };
        let (writes, turns) = channel();
        let child = Arc::new(Mutex::new(child));
        let watched = child.clone();
        std::thread::Builder::new().name("ffmpeg errors".into()).spawn(listen)?;
        std::thread::Builder::new().name("ffmpeg watch".into()).spawn(move || watch(&watched, &turns))?;
        Ok(Self { child, input, said, writes })
    }

    fn frame(&mut self, rgba: &[u8]) -> Result<()> {
        let begun = Instant::now();
        let _ = self.writes.send(true);
        let written = self.input.as_mut().map_or(Ok(()), |input| input.write_all(rgba));
        let _ = self.writes.send(false);
        written.map_err(|_| self.failure(begun))
    }

    fn end(mut self) -> Result<()> {
        drop(self.input.take());
        let begun = Instant::now();
        while lock(&self.child).try_wait()?.is_none() {
            ensure!(begun.elapsed() < 3 * PATIENCE, self.failure(begun));
            std::thread::sleep(LOOK);
        }
        let status = lock(&self.child).wait()?;
        ensure!(status.success(), self.failure(begun));
        Ok(())
    }

    /// `begun`: what it did not do.
    fn failure(&self, begun: Instant) -> anyhow::Error {
        // A process that it started may hold its output open.
        let said = self.said.recv_timeout(PATIENCE / 10).ok().filter(|said| !said.is_empty());
        let why = said.unwrap_or_else(|| match begun.elapsed() < PATIENCE {
            true => "it ended early".into(),
            false => format!("it did nothing for {} s", begun.elapsed().as_secs()),
        });
        anyhow!("{FFMPEG}: {why}; the recording is lost")
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        let mut child = lock(&self.child);
        kill(&mut child);
        let _ = child.wait();
    }
}

fn lock(child: &Mutex<Child>) -> MutexGuard<'_, Child> {
    child.lock().unwrap_or_else(PoisonError::into_inner)
}

/// With what it started: that may hold its input open.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    if child.try_wait().is_ok_and(|status| status.is_none()) {
        use nix::sys::signal::{Signal, killpg};
        let _ = killpg(nix::unistd::Pid::from_raw(child.id() as i32), Signal::SIGKILL);
    }
    let _ = child.kill();
}

/// A write to a process that takes nothing ends with that process.
fn watch(child: &Mutex<Child>, turns: &Receiver<bool>) {
    let mut writes = false;
    loop {
        writes = match turns.recv_timeout(if writes { PATIENCE } else { Duration::MAX }) {
            Ok(writes) => writes,
            Err(RecvTimeoutError::Timeout) => {
                kill(&mut lock(child));
                false
            }
            Err(RecvTimeoutError::Disconnected) => return,
        };
    }
}

/// Ctrl + C in a terminal is for the window, which ends the recording; on Windows no console opens.
fn apart(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    std::os::windows::process::CommandExt::creation_flags(command, 0x0800_0200);
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use base::fixtures::Folder;

    fn grey(size: [u32; 2], value: u8) -> Picture {
        Picture::from_fn(size, |_, _| [value, value, value, 255])
    }

    pub fn count_of(file: &Path) -> u32 {
        let file = std::io::BufReader::new(std::fs::File::open(file).unwrap());
        let reader = png::Decoder::new(file).read_info().unwrap();
        reader.info().animation_control().unwrap().num_frames
    }

    fn files(folder: &Folder) -> Vec<String> {
        let files = std::fs::read_dir(&folder.0).unwrap().flatten();
        files.map(|file| file.file_name().to_string_lossy().into_owned()).filter(|name| name != "tool").collect()
    }

    #[test]
    fn without_ffmpeg_it_is_an_animated_png_of_moderate_size() {
        let folder = Folder::new("video-png");
        let mut video = Video::create(&folder.0, [1921, 1081], OsStr::new("no-such-program")).unwrap();
        assert_eq!((video.rate(), video.most_s()), (PNG_RATE, Some(PNG_MOST_S)));
        [10, 200].iter().for_each(|value| video.frame(&grey([1921, 1081], *value)).unwrap());
        assert!(video.bytes() > 100);
        let SavedFile { file, note } = video.end().unwrap();
        assert!(note.is_some_and(|note| note.contains("ffmpeg") && note.contains("20 s")));
        assert_eq!((files(&folder).len(), file.extension()), (1, Some(OsStr::new("png"))));
        assert_eq!((count_of(&file), Picture::load(&file).unwrap().size), (2, [960, 540]));
        assert!(Video::create(&folder.0.join("none"), [2, 2], OsStr::new("no-such-program")).is_err());
    }

    /// Written by another process: one that is open for writing cannot be started.
    #[cfg(unix)]
    fn tool(folder: &Folder, text: &str) -> PathBuf {
        let file = folder.0.join("tool");
        let text = format!("#!/bin/sh\nfor part; do :; done\n{text}\n");
        let script = "printf '%s' \"$1\" > \"$2\" && chmod +x \"$2\"";
        let written = Command::new("sh").args(["-c", script, "sh", &text]).arg(&file).status();
        assert!(written.unwrap().success());
        file
    }

    #[cfg(unix)]
    #[test]
    fn ffmpeg_gets_raw_frames_and_writes_the_file() {
        let folder = Folder::new("video-mp4");
        let program = tool(&folder, "echo \"$@\" > \"$part\"; cat >> \"$part\"");
        let mut video = Video::create(&folder.0, [5, 3], program.as_os_str()).unwrap();
        assert_eq!((video.rate(), video.most_s()), (MP4_RATE, None));
        [1, 2].iter().for_each(|value| video.frame(&grey([5, 3], *value)).unwrap());
        let SavedFile { file, note } = video.end().unwrap();
        let bytes = std::fs::read(&file).unwrap();
        let line = bytes.iter().position(|byte| *byte == b'\n').unwrap();
        let said = String::from_utf8_lossy(&bytes[..line]).into_owned();
        for part in ["-video_size 5x3 -framerate 30 -i pipe:0", "scale=4:2:", "-c:v h264", "yuv420p", "-f mp4"] {
            assert!(said.contains(part), "{part}: {said}");
        }
        assert_eq!(bytes[line + 1..], [grey([5, 3], 1).rgba, grey([5, 3], 2).rgba].concat());
        assert_eq!((note, files(&folder).len(), file.extension()), (None, 1, Some(OsStr::new("mp4"))));
    }

    #[cfg(unix)]
    #[test]
    fn an_ffmpeg_that_fails_or_hangs_is_a_line_and_leaves_nothing() {
        let folder = Folder::new("video-fails");
        for (text, said) in [
            ("echo one >&2; echo ' No space left on device' >&2; exit 1", "ffmpeg: No space left on device;"),
            ("exit 0", "ffmpeg: it ended early;"),
            ("cat > /dev/null; echo 'broken at its end' >&2; exit 3", "ffmpeg: broken at its end;"),
            ("sleep 100", "ffmpeg: it did nothing for "),
            ("cat > /dev/null; exec sleep 100", "ffmpeg: it did nothing for "),
        ] {
            let program = tool(&folder, text);
            let mut video = Video::create(&folder.0, [400, 400], program.as_os_str()).unwrap();
            let frame = grey([400, 400], 1);
            let written = (0..3).try_for_each(|_| video.frame(&frame));
            let why = format!("{:#}", written.and_then(|()| video.end().map(drop)).unwrap_err());
            assert!(why.starts_with(said) && why.ends_with("the recording is lost"), "{text}: {why}");
            assert_eq!(files(&folder), Vec::<String>::new(), "{text}");
        }
    }
}
