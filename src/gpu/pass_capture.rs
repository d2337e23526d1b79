//! Copies of passes' resources right before or after a pass, in frames with a [`PassCapture`].

use super::{
    Gpu,
    access::{Access, Queue},
    bind::{Bound, Resource, ResourceUse},
    error::{Error, Result},
    format::Format,
    frame::Frame,
    frame_in_flight::FrameInFlight,
    image::{Image, ImageDesc, ImageView, Use},
    image_slot::ImageSlot,
    invocations::InvocationQuery,
    pass_traffic::traffic,
    pipeline::Program,
    pipeline_recipe::PipelineRecipe,
    raster::{ColorTarget, DepthTarget},
    records::Records,
    transfer::ReadBack,
};
use ash::vk;
use std::{
    collections::{BTreeMap, BTreeSet},
    ops::Range,
    sync::Arc,
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CapturePoint {
    pub pass: String,
    /// From 0 on; `None`: the last one that has the resource.
    pub nth: Option<usize>,
    /// Name in the shader, with the index of an element: `levels[2]`. Others: `depth`, `vertices`, `indirect`, and in
    /// copies `from` and `to`.
    pub binding: String,
    pub mip: Option<u32>,
    pub is_before: bool,
    pub bytes: Range<u64>,
}

impl CapturePoint {
    pub fn new(pass: &str, binding: &str) -> Self {
        let (pass, binding, bytes) = (pass.into(), binding.into(), 0..u64::MAX);
        Self { pass, nth: None, binding, mip: None, is_before: false, bytes }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct PassResources {
    pub pass: String,
    pub on_compute_queue: bool,
    pub resources: Vec<PassResource>,
    /// Read and written if each byte of the bound ranges moves once.
    pub bytes: [u64; 2],
    pub counted: Option<u64>,
    pub pipelines: Vec<Arc<PipelineRecipe>>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PassResource {
    pub binding: String,
    pub name: String,
    pub is_read: bool,
    pub is_written: bool,
    pub shape: ResourceShape,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ResourceShape {
    Image { size: [u32; 2], mips: Range<u32>, format: Format, can_be_copied: bool },
    Buffer { bytes: u64, records: Arc<Records> },
}

pub enum Captured {
    /// Kept until the next capture of the same point.
    Image(Image),
    Buffer(ReadBack, Arc<Records>),
}

struct Request {
    point: CapturePoint,
    slot: ImageSlot,
    captured: Option<Captured>,
}

struct NamedResource {
    binding: String,
    resource: Resource,
    how: Access,
    records: Arc<Records>,
}

#[derive(Default)]
struct Declared {
    resources: Vec<NamedResource>,
    pipelines: Vec<Arc<PipelineRecipe>>,
    unread: Vec<ImageView>,
}

#[derive(Default)]
pub struct PassCapture {
    requests: Vec<Request>,
    passes: Vec<PassResources>,
    counts: BTreeMap<String, usize>,
    declared: Declared,
    pub(super) counted: Option<u64>,
    queried: Option<String>,
    queries: Vec<Arc<InvocationQuery>>,
    is_paused: bool,
}

impl PassCapture {
    pub fn of(points: &[CapturePoint]) -> Self {
        let mut capture = Self::default();
        capture.set_points(points);
        capture
    }

    /// Returns whether others were set before.
    pub fn set_points(&mut self, points: &[CapturePoint]) -> bool {
        if self.requests.iter().map(|request| &request.point).eq(points) {
            return false;
        }
        let mut before = std::mem::take(&mut self.requests);
        let request = |point: &CapturePoint| {
            let known = before.iter().position(|request| request.point == *point);
            let new = || Request { point: point.clone(), slot: ImageSlot::default(), captured: None };
            known.map_or_else(new, |known| before.swap_remove(known))
        };
        self.requests = points.iter().map(request).collect();
        true
    }

    /// Later frames copy nothing: passes are listed, and images keep what was captured.
    pub fn pause(&mut self, is_paused: bool) {
        self.is_paused = is_paused;
    }

    pub fn is_paused(&self) -> bool {
        self.is_paused
    }

    pub fn passes(&self) -> &[PassResources] {
        &self.passes
    }

    pub fn get(&self, point: &CapturePoint) -> Option<&Captured> {
        self.requests.iter().find(|request| request.point == *point)?.captured.as_ref()
    }

    pub fn why_not(&self, point: &CapturePoint) -> String {
        use base::text::suggestion;
        let passes: BTreeSet<&str> = self.passes.iter().map(|pass| pass.pass.as_str()).collect();
        if !passes.contains(point.pass.as_str()) {
            return format!(
                "the frame has no pass {:?}{}",
                point.pass,
                suggestion(&point.pass, passes.iter().copied())
            );
        }
        let same = || self.passes.iter().filter(|pass| pass.pass == point.pass);
        let count = same().count();
        if let Some(nth) = point.nth.filter(|nth| *nth >= count) {
            return format!("the frame has {count} passes {:?}, expected {nth} or more", point.pass);
        }
        let all: Vec<&PassResource> = same().flat_map(|pass| &pass.resources).collect();
        let names: BTreeSet<&str> = all.iter().map(|resource| resource.binding.as_str()).collect();
        if names.is_empty() {
            return format!("{} accesses no resource", point.pass);
        }
        let bound: Vec<_> = all.iter().filter(|resource| resource.binding == point.binding).collect();
        if bound.is_empty() {
            return format!(
                "{} has no binding {:?}{}",
                point.pass,
                point.binding,
                suggestion(&point.binding, names.iter().copied())
            );
        }
        match bound.last().map(|resource| &resource.shape) {
            Some(ResourceShape::Image { can_be_copied: false, .. }) => {
                "the window system owns this image and allows no copies".into()
            }
            Some(ResourceShape::Image { mips, .. }) if point.mip.is_some_and(|mip| !mips.contains(&mip)) => {
                let bound = bound.iter().filter_map(|resource| match &resource.shape {
                    ResourceShape::Image { mips, .. } => Some(mips.clone()),
                    ResourceShape::Buffer { .. } => None,
                });
                let (first, last) = bound.fold((u32::MAX, 0), |(a, b), mips| (a.min(mips.start), b.max(mips.end - 1)));
                format!("{} {} has the mip levels {first} to {last}", point.pass, point.binding)
            }
            Some(ResourceShape::Buffer { .. }) if point.mip.is_some() => {
                format!("{} {} is a buffer, which has no mip levels", point.pass, point.binding)
            }
            _ if point.is_before => format!("nothing was written to {} before {}", point.binding, point.pass),
            _ => format!("{} {} cannot be copied", point.pass, point.binding),
        }
    }

    pub fn count_invocations(&mut self, pass: Option<&str>) {
        self.queried = pass.map(str::to_owned);
    }

    pub fn invocations(&self) -> &[Arc<InvocationQuery>] {
        &self.queries
    }

    fn begin_frame(&mut self) {
        self.passes.clear();
        self.counts.clear();
        self.declared = Declared::default();
        self.counted = None;
        self.queries.clear();
        self.requests.iter_mut().for_each(|request| request.captured = None);
    }

    fn named(declared: Vec<NamedResource>, touches: &[ResourceUse]) -> Vec<NamedResource> {
        let mut all: Vec<NamedResource> = Vec::new();
        for mut new in declared {
            let same = || all.iter().filter(|old| old.binding == new.binding);
            if same().any(|old| old.how == new.how && old.resource.same(&new.resource)) {
                continue;
            }
            let draw = same().count();
            if draw > 0 {
                new.binding = format!("{} {draw}", new.binding);
            }
            all.push(new);
        }
        let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
        for touch in touches {
            if all.iter().any(|named| named.how == touch.how && named.resource.same(&touch.resource)) {
                continue;
            }
            let word = match touch.how {
                Access::Color => "color",
                Access::Depth => "depth",
                Access::Vertex => "vertices",
                Access::Indirect => "indirect",
                Access::TransferRead => "from",
                Access::TransferWrite => "to",
                _ => "resource",
            };
            let nth = counts.entry(word).or_default();
            let binding = if *nth == 0 { word.to_owned() } else { format!("{word} {nth}") };
            *nth += 1;
            let (resource, how) = (touch.resource.clone(), touch.how);
            all.push(NamedResource { binding, resource, how, records: Arc::default() });
        }
        all
    }
}

impl Bound {
    fn named(&self, program: &Program) -> Vec<NamedResource> {
        let mut named = Vec::new();
        for (name, binding) in &program.interface.bindings {
            let resources = self.resources.get(name).map(Vec::as_slice).unwrap_or_default();
            for (i, resource) in resources.iter().enumerate() {
                let label = if resources.len() > 1 { format!("{name}[{i}]") } else { name.clone() };
                let (resource, how) = (resource.clone(), resource.sampled_as(binding.access()));
                named.push(NamedResource { binding: label, resource, how, records: binding.records() });
            }
        }
        named
    }
}

impl NamedResource {
    fn info(&self) -> PassResource {
        let scope = self.how.scope();
        let (name, shape) = match &self.resource {
            Resource::Buffer(buffer) => {
                let shape = ResourceShape::Buffer { bytes: buffer.size(), records: self.records.clone() };
                (buffer.0.name.clone(), shape)
            }
            Resource::ImageView(view) => {
                let shape = ResourceShape::Image {
                    size: view.image.size(),
                    mips: view.base..view.base + view.count,
                    format: view.format,
                    can_be_copied: view.image.gives_copies(),
                };
                (view.image.name().to_owned(), shape)
            }
        };
        let is_read = !scope.writes || !matches!(self.how, Access::Write(_) | Access::TransferWrite);
        PassResource { binding: self.binding.clone(), name, is_read, is_written: scope.writes, shape }
    }

    fn level(&self, mip: Option<u32>) -> Option<ImageView> {
        let Resource::ImageView(view) = &self.resource else { return None };
        let level = mip.unwrap_or(view.base);
        let is_bound = (view.base..view.base + view.count).contains(&level);
        (is_bound && view.image.gives_copies()).then(|| view.image.mip(level).as_format(view.format))
    }
}

impl Frame {
    pub fn begin_capture(&mut self, mut capture: PassCapture) {
        capture.begin_frame();
        self.capture = Some(Box::new(capture));
    }

    pub fn end_capture(&mut self) -> PassCapture {
        self.capture.take().map_or_else(PassCapture::default, |capture| *capture)
    }

    pub(super) fn declare(&mut self, bound: &Bound, program: &Program) {
        if let Some(Declared { resources, pipelines, .. }) = self.capture.as_mut().map(|capture| &mut capture.declared)
        {
            resources.extend(bound.named(program));
            if !pipelines.contains(&program.recipe) {
                pipelines.push(program.recipe.clone());
            }
        }
    }

    pub(super) fn declare_targets<'p>(
        &mut self,
        color: &[ColorTarget],
        depth: Option<&DepthTarget>,
        mut programs: impl Iterator<Item = &'p Program> + Clone,
    ) {
        let Some(capture) = &mut self.capture else { return };
        let blends = programs.clone().any(|program| program.recipe.blends());
        capture.declared.unread.extend(color.iter().filter(|_| !blends).map(|(view, _)| view.clone()));
        capture.declared.unread.extend(depth.filter(|(_, clear)| clear.is_some()).map(|(view, _)| view.clone()));
        let Some(first) = programs.next() else { return };
        let views = color.iter().map(|(view, _)| view).zip(0..);
        capture.declared.resources.extend(views.filter_map(|(view, location)| {
            let binding = first.interface.targets.get(&location)?.clone();
            Some(NamedResource { binding, resource: view.into(), how: Access::Color, records: Arc::default() })
        }));
    }

    pub(super) fn pass_captured(
        &mut self,
        mut capture: Box<PassCapture>,
        name: &str,
        touches: &[ResourceUse],
        record: impl FnOnce(&Gpu, vk::CommandBuffer, &mut FrameInFlight) -> Result<()>,
    ) -> Result<()> {
        let Declared { resources, pipelines, unread } = std::mem::take(&mut capture.declared);
        let named = PassCapture::named(resources, touches);
        let nth = *capture.counts.entry(name.to_owned()).and_modify(|count| *count += 1).or_insert(0);
        let query = match capture.queried.as_deref() == Some(name) {
            true => InvocationQuery::new(&self.gpu, self.queue, &pipelines).ok().flatten(),
            false => None,
        };
        capture.passes.push(PassResources {
            pass: name.to_owned(),
            on_compute_queue: self.queue == Queue::Compute,
            resources: named.iter().map(NamedResource::info).collect(),
            bytes: traffic(touches, &unread),
            counted: capture.counted.take(),
            pipelines,
        });
        if let Some(query) = &query {
            self.keep(query.clone());
            capture.queries.push(query.clone());
        }
        let counted = |gpu: &Gpu, cmd: vk::CommandBuffer, in_flight: &mut FrameInFlight| {
            query.iter().for_each(|query| query.begin(cmd));
            let done = record(gpu, cmd, in_flight);
            query.iter().for_each(|query| query.end(cmd));
            done
        };
        let done = self
            .capture_around(&mut capture, name, nth, &named, true)
            .and_then(|()| self.record_pass(name, touches, counted))
            .and_then(|()| self.capture_around(&mut capture, name, nth, &named, false));
        self.capture = Some(capture);
        done
    }

    fn capture_around(
        &mut self,
        capture: &mut PassCapture,
        pass: &str,
        nth: usize,
        named: &[NamedResource],
        is_before: bool,
    ) -> Result<()> {
        let is_requested = |point: &CapturePoint| {
            point.pass == pass && point.nth.is_none_or(|n| n == nth) && point.is_before == is_before
        };
        for request in &mut capture.requests {
            if capture.is_paused || !is_requested(&request.point) {
                continue;
            }
            let point = &request.point;
            let all = || named.iter().filter(|resource| resource.binding == point.binding);
            let label = format!("capture/{pass} {}", point.binding);
            if let Some(level) = all().find_map(|resource| resource.level(point.mip)) {
                if is_before && !level.is_written()? {
                    continue;
                }
                let desc = ImageDesc::new("capture", level.size(), level.image.format(), &[Use::Sample]);
                let aliases = if level.format == level.image.format() { vec![] } else { vec![level.format] };
                let image = request.slot.fit(&self.gpu, desc.aliases(&aliases).both_queues())?;
                self.copy(&label, &level, &image.mip(0))?;
                request.captured = Some(Captured::Image(image));
            } else if let Some(NamedResource { resource: Resource::Buffer(buffer), records, .. }) =
                all().find(|_| point.mip.is_none())
            {
                let (first, last) = (point.bytes.start.min(buffer.size()), point.bytes.end.min(buffer.size()));
                let read = self.read_range(&label, buffer, first..last)?;
                request.captured = Some(Captured::Buffer(read, records.clone()));
            }
        }
        Ok(())
    }
}

impl ImageView {
    fn is_written(&self) -> Result<bool> {
        let gone = |_| Error::Pass { pass: self.image.name().into(), problem: "poisoned state".into() };
        let states = self.image.0.states.lock().map_err(gone)?;
        Ok(states[self.base as usize].layout() != vk::ImageLayout::UNDEFINED)
    }
}
