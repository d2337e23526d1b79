//! RenderDoc capture of one frame, when RenderDoc is attached.
use renderdoc::{RenderDoc, V141};
use std::{
    iter,
    path::{Path, PathBuf},
};

pub struct Capture(RenderDoc<V141>);

impl Capture {
    /// Call after the device was created: RenderDoc's layer is loaded with the instance.
    pub fn attached() -> Result<Self, String> {
        RenderDoc::new().map(Self).map_err(|_| {
            "RenderDoc is not attached; start the program from RenderDoc, or with ENABLE_VULKAN_RENDERDOC_CAPTURE=1 \
             (docs/profiling.md)"
                .into()
        })
    }

    pub fn trigger(&mut self) {
        self.0.trigger_capture();
    }

    pub fn start(&mut self) {
        // RenderDoc names the file by the minute, and would overwrite an earlier one.
        let template = self.0.get_capture_file_path_template().to_owned();
        let free = unused(&template, |path| path.exists());
        if free != template {
            self.0.set_capture_file_path_template(free);
        }
        self.0.start_frame_capture(std::ptr::null(), std::ptr::null());
    }

    pub fn end(&mut self) -> Result<PathBuf, String> {
        self.0.end_frame_capture(std::ptr::null(), std::ptr::null());
        let last = self.0.get_num_captures().checked_sub(1).ok_or("RenderDoc wrote no capture")?;
        let (path, _) = self.0.get_capture(last).ok_or("RenderDoc does not name its capture")?;
        Ok(path)
    }
}

const ENDS: &str = "_capture.rdc";

fn unused(template: &Path, is_there: impl Fn(&Path) -> bool) -> PathBuf {
    let with = |path: &Path, end: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    };
    let numbered = (2..).map(|number: u32| with(template, &format!("_{number}")));
    let mut all = iter::once(template.to_owned()).chain(numbered);
    all.find(|path| !is_there(&with(path, ENDS))).unwrap_or_else(|| template.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_capture_is_written_over() {
        let there = |files: &'static [&'static str]| {
            move |path: &Path| files.iter().any(|file| Path::new("/x").join(file) == path)
        };
        let free = |files| unused(Path::new("/x/lens"), there(files));
        assert_eq!(free(&[]), Path::new("/x/lens"));
        assert_eq!(free(&["lens_capture.rdc"]), Path::new("/x/lens_2"));
        assert_eq!(free(&["lens_capture.rdc", "lens_2_capture.rdc", "lens_4_capture.rdc"]), Path::new("/x/lens_3"));
        assert_eq!(free(&["lens_2_capture.rdc"]), Path::new("/x/lens"), "the plain name is free");
    }
}
