//! Tests of shader edits while a pipeline is in use.
use super::*;
use crate::gpu_struct;
use crate::{ComputePipeline, Format, Frames, Image, ImageDesc, Use, shader_folder};
use glam::UVec2;
use std::{
    cell::Cell,
    time::{Duration, SystemTime},
};

gpu_struct! { struct AddPush { size: UVec2, amount: f32 } }

const SIZE: [u32; 2] = [5, 3];
const FILE: &str = "gpu/add.comp";
const SUM: &str = "imageLoad(src, ivec2(at)) + push.amount * float(TIMES)";

struct Edited {
    folder: base::fixtures::Folder,
    gpu: Arc<Gpu>,
    frames: Frames,
    add: ComputePipeline,
    text: String,
    edits: Edits,
    told: Cell<u32>,
}

impl Edited {
    fn new(name: &str) -> Self {
        let folder = shader_folder::tests::folder_of_add(name);
        let gpu = Gpu::headless(true).unwrap();
        let add = ComputePipeline::new(&gpu, FILE, &[("TIMES", 2)]).unwrap().with_push::<AddPush>().unwrap();
        let (frames, edits) = (Frames::new(&gpu, 2), Edits::new(&folder.0));
        let text = fs::read_to_string(folder.0.join(FILE)).unwrap();
        Self { folder, gpu, frames, add, text, edits, told: Cell::new(0) }
    }

    fn save(&mut self, part: &str, by: &str) -> (f32, Vec<String>) {
        assert!(self.text.contains(part), "{part}");
        fs::write(self.folder.0.join(FILE), self.text.replace(part, by)).unwrap();
        self.look()
    }

    fn look(&mut self) -> (f32, Vec<String>) {
        let told = &self.told;
        self.edits.take(&self.gpu, &|| told.set(told.get() + 1));
        (
            self.run(),
            self.gpu.shaders.errors().into_iter().map(|(name, problem)| format!("{name}: {problem}")).collect(),
        )
    }

    fn run(&mut self) -> f32 {
        let image = |name| Image::new(&self.gpu, ImageDesc::new(name, SIZE, Format::R32F, &[Use::Storage])).unwrap();
        let (src, dst) = (image("src"), image("dst"));
        let push = AddPush { size: SIZE.into(), amount: 1.0 };
        let record = |f: &mut crate::Frame| -> crate::Result<_> {
            f.upload(&src.mip(0), &[1f32; 15])?;
            f.compute("add", &self.add).bind("src", &src).bind("dst", &dst).push(&push).dispatch(SIZE)?;
            f.read_image(&dst.mip(0))
        };
        self.frames.once(record).unwrap().0.read::<f32>().unwrap()[0]
    }
}

#[test]
fn edits_that_leave_something_unused_are_taken() {
    let mut edited = Edited::new("reload-unused");
    assert_eq!(edited.run(), 3.0);
    assert_eq!(edited.save(SUM, "imageLoad(src, ivec2(at)) - push.amount"), (0.0, vec![]));
    let bare = "if (any(greaterThanEqual(at, push.size))) return;";
    edited.text = edited.text.replace(bare, "");
    assert_eq!(edited.save(SUM, "imageLoad(src, ivec2(at)) * 5.0"), (5.0, vec![]));
    assert_eq!(edited.save(SUM, "vec4(7.0)"), (7.0, vec![]));
    edited.add = ComputePipeline::new(&edited.gpu, FILE, &[("TIMES", 2)]).unwrap();
    assert_eq!(edited.run(), 7.0);
}

#[test]
fn mismatches_are_reported_and_cleared_when_fixed() {
    let mut edited = Edited::new("reload-misfit");
    let (before, news) = (edited.run(), edited.gpu.shaders.news());
    let more = "layout(binding = 2, r32f) uniform readonly image2D more;\nvoid main";
    let (now, said) = edited.save("void main", more);
    assert_eq!((now, said), (before, vec![]), "unused, it is not there");
    edited.text = edited.text.replace("void main", more);
    let (now, said) = edited.save(SUM, "imageLoad(more, ivec2(at))");
    assert!(now == before && said.len() == 1 && said[0].contains("binding more is new"), "{now} {said:?}");
    assert!(edited.gpu.shaders.news() > news);
    edited.add = ComputePipeline::new(&edited.gpu, FILE, &[("TIMES", 2)]).unwrap();
    assert_eq!(edited.look(), (before, said));
    let (now, said) = edited.save(SUM, "imageLod(src)");
    assert!(now == before && said.iter().any(|said| said.contains("imageLod")), "{now} {said:?}");
    assert_eq!(edited.save(SUM, "vec4(9.0)"), (9.0, vec![]), "both are taken back");
}

#[test]
fn a_file_that_goes_is_missed_and_an_older_one_is_taken() {
    let mut edited = Edited::new("reload-files");
    let (file, include) = (edited.folder.0.join(FILE), edited.folder.0.join("include/prelude.glsl"));
    let prelude = fs::read(&include).unwrap();
    fs::remove_file(&file).unwrap();
    assert_eq!(edited.look(), (3.0, vec!["gpu/add.comp: the file is gone".into()]));
    assert_eq!(edited.told.get(), 1);
    fs::write(&file, edited.text.replace("* float(TIMES)", "* 40.0")).unwrap();
    let long_ago = SystemTime::now() - Duration::from_secs(100_000);
    fs::File::open(&file).unwrap().set_modified(long_ago).unwrap();
    assert_eq!(edited.look(), (41.0, vec![]));
    let told = edited.told.get();
    assert_eq!((edited.look(), edited.told.get()), ((41.0, vec![]), told), "nothing was edited");
    fs::remove_file(&include).unwrap();
    let (now, said) = edited.look();
    assert!(now == 41.0 && said.len() == 1 && said[0].contains("include/prelude.glsl"), "{now} {said:?}");
    fs::write(&include, prelude).unwrap();
    assert_eq!(edited.look(), (41.0, vec![]));
}

#[test]
fn reading_a_file_is_no_edit() {
    let folder = base::fixtures::Folder::new("stamps");
    let (file, other) = (folder.0.join("a.glsl"), folder.0.join("b.glsl"));
    fs::write(&file, "one").unwrap();
    let mut stamps = Stamps::default();
    let mut differs = |files: &[&PathBuf]| stamps.differ(files.iter().copied());
    assert!(differs(&[&file, &folder.0]), "never seen");
    fs::read(&file).unwrap();
    fs::read_dir(&folder.0).unwrap().for_each(drop);
    assert!(!differs(&[&file, &folder.0]));
    fs::write(&file, "longer").unwrap();
    assert!(differs(&[&file]) && !differs(&[&file]));
    fs::write(&other, "new").unwrap();
    assert!(differs(&[&folder.0]), "a file came");
    fs::remove_file(&file).unwrap();
    assert!(differs(&[&file]) && !differs(&[&file]));
}
