//! Headless command: frames without a window.

use super::animation::{Recording, Route, STEP_MS};
use super::cli::{Common, HeadlessOptions, ViewOptions};
use super::failure::{Failure, OrFail as _};
use super::headless_options::ReportOptions;
use super::headless_pair::{HeadlessPair, PairReport};
use super::motion_error::{FRAMES_MORE, MotionError};
use super::ray_choice::RayChoice;
use super::run_summary::RunLimits;
use super::save::{ReadFile, Save};
use super::session::Session;
use super::signals;
use super::stills;
use super::text_table::Table;
use super::{FirstError, crash_report, device, folders, measure, page, presets, print, run_summary, trace, write};
use anyhow::Result;
use base::timing::FrameTiming;
use glam::Vec2;
use glass::Mode;
use gpu::{Capture, Format, Frame, Frames, Gpu, Image, ImageDesc, ImageView, Options, Use};
use instrument::{FrameCapture, FrameRequest, FrameResults};
use lab::DeviceProbe;
use media::picture::Picture;
use reflections::{AutoRays, Rate};
use renderer::{Background, FrameParams, FramePlan, LoadMode, PlanInput, Renderer, WorldLoader};
use scene::motif::{self, Stage, UseEvent, UseFrame};
use scene::spring::Feel;
use scene::{AntialiasMode, Lens, SceneSettings};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use technique::{FrameRead, Output, Report};
use techniques::{Settings, Techniques};
use ui::instruments::{InstrumentReport, Instruments, RunInfo};

const FRAMES_BEFORE: u32 = 16;

const SIZE_PX: [u32; 2] = [1280, 720];
/// Pictures are reproducible bit for bit.
const STEP: Duration = Duration::from_nanos(1_000_000_000 / 60);

pub fn run(common: &Common, typed: &ViewOptions, output: &HeadlessOptions) -> Result<(), Failure> {
    signals::watch(signals::interrupt_recording);
    frames(common, &Session::new(common, typed)?, output, print)
}

pub fn frames(
    common: &Common,
    session: &Session,
    output: &HeadlessOptions,
    report: fn(&str) -> Result<(), Failure>,
) -> Result<(), Failure> {
    glass::choose_font(&session.settings.glass.font).map_err(Failure::bad)?;
    let lenses = session.lenses(Vec2::ONE);
    glass::check_paths(&lenses).map_err(Failure::bad)?;
    if let Some(why) = glass::problem_of_outlines(&session.settings.glass.font, &lenses) {
        log::warn!("{why}");
    }
    let saves = output.save.iter().map(Save::find).collect::<Result<Vec<_>, _>>()?;
    let size = common.size.map_or(SIZE_PX, |size| size.0.to_array());
    let run = RunInfo { size, has_view: session.shown.is_some(), has_b: output.pair.has_b() };
    let mut instruments = output.instruments.argued(&run)?;
    let options: Options = device::options(common)?;
    let gpu = Gpu::new(&options).map_err(anyhow::Error::from)?;
    let (facts, messages) = (gpu.info().clone(), gpu.messages());
    if size.iter().any(|side| *side > facts.max_side) {
        let [width, height] = size;
        let why = format!("--size {width}x{height}: {} draws at most {1}x{1} pixels", facts.name, facts.max_side);
        return Err(Failure::bad(format!("{why}; expected that or less")));
    }
    measure::check(&output.measure)?;
    if let Some(technique) = output.measure.first() {
        device::expect_times(&gpu, &format!("--measure {technique}"))?;
    }
    let capture = output
        .report
        .capture
        .then(Capture::attached)
        .transpose()
        .map_err(|why| Failure::failed(format!("--capture: {why}")))?;
    let mut said = FirstError::default();
    let mut report_and_note = |text: &str| said.note(report(text));
    crash_report::note_device(&facts);
    crash_report::note_settings(presets::text(&session.settings, session.layout.as_ref())?);
    let asked = instruments.headless_request().clone();
    let request = Request { session, size, output, saves: &saves, asked, lists: common.json.is_some() };
    let HeadlessResult { timings, picture, files, shaders, mut reports, limits, b, rays, motion_error } =
        render(&gpu, &request, capture, &instruments, &mut report_and_note).map_err(crash_report::of)?;
    let (device_waits, untimed) = (gpu.waits(), gpu.untimed());
    let mut encoded = files.into_iter().map(ReadFile::encode).collect::<Result<Vec<_>, _>>()?;
    for (_, InstrumentReport { option, files, .. }) in &mut reports {
        encoded.extend(files.drain(..).map(|(file, bytes)| (*option, file, bytes)));
    }
    drop(gpu);
    if let Some((file, picture)) = output.png.as_ref().zip(picture) {
        let bytes = picture.encode_png().map_err(|why| why.context(format!("cannot write {}", file.display())));
        write(file, &bytes.or_bad("--png")?).or_bad("--png")?;
    }
    for (option, file, bytes) in &encoded {
        file.parent().map_or(Ok(()), std::fs::create_dir_all).or_bad(option)?;
        write(file, bytes).or_bad(option)?;
    }
    for (file, text) in output.report.copy_as.iter().zip(&shaders) {
        write(file, text.as_bytes()).or_bad("--copy-as")?;
    }
    for (_, InstrumentReport { text, failure, .. }) in &reports {
        report_and_note(text);
        failure.as_ref().map_or(Ok(()), |why| Err(Failure::failed(why)))?;
    }
    if let Some(file) = &output.report.trace {
        let run = trace::facts(&facts, untimed, size, &session.settings).or_bad("--trace")?;
        let trace = trace::trace(&run, &timings).or_bad("--trace")?;
        write(file, format!("{trace}\n").as_bytes()).or_bad("--trace")?;
    }
    if let Some(file) = &common.json {
        let (frames, validation) = (u64::from(output.frames), (common.validate, messages.len()));
        let b = b.as_ref().map(PairReport::json);
        let (facts, timings, walls_us) = (&facts, &timings, None);
        let setting = session.settings.reflections.rate;
        let mirrors_in_motion = rays.map(|(rays, reason)| run_summary::rays_json(setting, rays, reason));
        let against_rest = motion_error.as_ref().map(MotionError::json);
        let run = run_summary::Run {
            facts,
            size,
            frames,
            timings,
            walls_us,
            validation,
            device_waits,
            limits,
            b,
            mirrors_in_motion,
            against_rest,
            untimed,
            reports: reports.into_iter().filter_map(|(id, report)| Some((id, report.json?))).collect(),
        };
        write(file, run.json().as_bytes()).or_bad("--json")?;
    }
    if let Some(why) = untimed {
        said.note(report(&format!("{why}\n")));
    }
    if let Some(error) = &motion_error {
        said.note(report(&error.text()));
    }
    let table = b.as_ref().map_or_else(|| run_summary::table(&timings), PairReport::table);
    said.note(report(&format!("{} ({}), Vulkan {}\n{table}", facts.name, facts.driver, facts.api)));
    device::unspoken(&messages)?;
    said.end()
}

struct HeadlessResult {
    timings: Vec<FrameTiming>,
    picture: Option<Picture>,
    files: Vec<ReadFile>,
    shaders: Vec<String>,
    reports: Vec<(&'static str, InstrumentReport)>,
    limits: RunLimits,
    b: Option<PairReport>,
    rays: Option<(Rate, String)>,
    motion_error: Option<MotionError>,
}

struct Request<'a> {
    session: &'a Session,
    size: [u32; 2],
    output: &'a HeadlessOptions,
    saves: &'a [Save],
    /// Of the last frame.
    asked: FrameRequest,
    lists: bool,
}

fn render(
    gpu: &Arc<Gpu>,
    request: &Request<'_>,
    mut capture: Option<Capture>,
    instruments: &Instruments,
    report: &mut dyn FnMut(&str),
) -> Result<HeadlessResult> {
    let Request { session, size, output, saves, lists, .. } = *request;
    if let Some(why) = Techniques::unsupported(&session.settings, gpu) {
        return Err(Failure::bad(why).into());
    }
    let mut frames = Frames::new(gpu, session.settings.display.frames_in_flight as usize);
    let background = || Background::new(session.pictures.below.clone(), LoadMode::Block);
    let mut pair = HeadlessPair::new(gpu, session, &output.pair, (background, || worlds_of(session)))?;
    let mut renderer = Renderer::new(gpu, background(), worlds_of(session))?;
    let desc = ImageDesc::new("headless target", size, Format::Rgba8, &[Use::Color, Use::Storage]);
    let target = Image::new(gpu, desc.aliases(&[Format::R32U]))?;
    let mut motions = Motions::new(gpu, request, pair.as_ref())?;
    let mut rays = output.motion.display_hz.map(|hertz| RayChoice::new(1e6 / hertz));
    let mut motion_error = output.motion.against_rest.map(MotionError::new);
    let mut recording = recording(request).or_bad("--record")?;
    let mut timings = Vec::new();
    let mut read = None;
    let mut files = Vec::new();
    let mut limits = RunLimits::default();
    let mut reader = FrameCapture::new(gpu, folders::cache());
    let outputs = saves.iter().map(Save::output).chain(request.asked.outputs().iter().copied());
    let has_page = output.report.has_page();
    renderer.prepare_outputs(&outputs.chain(has_page.then_some(page::BELOW)).collect::<Vec<_>>());
    let mut below = None;
    let smooths = recording.is_some() && session.settings.scene.antialias != AntialiasMode::Off;
    let before = if smooths { FRAMES_BEFORE } else { 0 };
    for number in (1..=before).map(|_| 0).chain(1..=output.frames) {
        if number == 1 {
            frames.wait()?;
            on_timing(&mut frames, &mut renderer, pair.as_mut(), &mut rays, &mut timings)?;
            timings.clear();
        }
        let is_last = number == output.frames;
        if let Some(capture) = capture.as_mut().filter(|_| is_last) {
            frames.wait()?;
            capture.start();
        }
        let mut frame = frames.begin()?;
        let is_listed = lists && (number == 1 || is_last);
        let mut asked = if is_last { request.asked.clone() } else { FrameRequest::default() };
        asked.lists_all |= is_listed;
        reader.ask(asked);
        reader.prepare();
        reader.begin(&mut frame);
        if let Some(rays) = &rays {
            motions.set_rays(rays.auto());
        }
        motions.record(&mut frame, number, is_last, &mut renderer, pair.as_mut(), &target.mip(0))?;
        if let Some((rays, is_shared)) = rays.as_mut().zip(renderer.shared_rays()) {
            rays.drew(frame.number(), is_shared);
        }
        let is_compared = motion_error.as_ref().is_some_and(|error| error.is_due(number));
        let is_read = recording.is_some() && number > 0 || is_last && (output.png.is_some() || has_page) || is_compared;
        let seen = is_read.then(|| Output::from(&target.mip(0)).read(&mut frame)).transpose()?;
        reader.end(&mut frame, &target.mip(0), renderer.last_frame(), &session.settings)?;
        if is_listed {
            limits.add(reader.captured().passes());
        }
        if is_last {
            below = has_page.then(|| page::read_below(&renderer, &mut frame)).transpose()?;
            for save in saves {
                files.push(save.read(&renderer, &mut frame)?);
            }
        }
        frames.submit(frame)?;
        if let Some((recording, seen)) = recording.as_mut().zip(seen.as_ref()) {
            frames.wait()?;
            recording.frame(seen.picture()?)?;
        }
        if let Some(recording) = recording.take_if(|_| signals::have_arrived()) {
            frames.wait()?;
            return Err(recording.end_early(number, output.frames).into());
        }
        on_timing(&mut frames, &mut renderer, pair.as_mut(), &mut rays, &mut timings)?;
        if let Some((error, seen)) = motion_error.as_mut().filter(|_| is_compared).zip(seen.as_ref()) {
            frames.wait()?;
            on_timing(&mut frames, &mut renderer, pair.as_mut(), &mut rays, &mut timings)?;
            error.add(number, &seen.picture()?, &motions.a.at_rest(&mut frames, number, &mut renderer)?)?;
        }
        read = seen.filter(|_| is_last);
    }
    frames.wait()?;
    capture.map_or(Ok(()), |capture| end_capture(capture, report))?;
    on_timing(&mut frames, &mut renderer, pair.as_mut(), &mut rays, &mut timings)?;
    recording.map_or(Ok(()), Recording::end).or_bad("--record")?;
    reader.explain(renderer.last_frame(), &session.settings)?;
    if reader.measures_device() {
        reader.measure_device();
    }
    if let Some(last) = timings.last() {
        reader.on_timing(last)?;
    }
    reader.end_saves();
    let results = FrameResults { passes: reader.captured().passes(), ..reader.results() };
    let mut reports = instruments.reports(&results, [&gpu.info().name, &gpu.info().driver]).map_err(Failure::bad)?;
    for (_, report) in reports.iter_mut().filter(|(_, report)| !report.drawings.is_empty()) {
        stills::draw(&mut frames, report)?;
    }
    report_tables(&renderer, session, report);
    for technique in &output.measure {
        report(&measure::run(&mut renderer, &mut frames, session, &target, technique)?);
    }
    let picture = read.map(|read| picture_of(&read, pair.as_ref())).transpose()?;
    let b = pair.map(|pair| pair.report(&timings)).transpose()?;
    let mut shaders = motions.a.copied(&renderer, &output.report.copy_as)?;
    if let Some((below, seen)) = below.as_ref().zip(picture.as_ref()) {
        let filled = |page| page::with_pictures(page, below, seen);
        shaders = shaders.into_iter().map(filled).collect::<Result<_>>().or_bad("--copy-as")?;
    }
    limits.probe = if lists { device_probe(gpu) } else { None };
    let rays = renderer.rays_in_motion(&session.settings);
    Ok(HeadlessResult { timings, picture, files, shaders, reports, limits, b, rays, motion_error })
}

fn worlds_of(session: &Session) -> WorldLoader {
    let mut worlds = WorldLoader::new(session.world.clone(), LoadMode::Block);
    worlds.set_sky(session.pictures.sky.clone());
    worlds
}

fn picture_of(read: &FrameRead, pair: Option<&HeadlessPair>) -> Result<Picture> {
    let mut picture = read.picture()?;
    if pair.is_some_and(|pair| pair.broken.is_some()) {
        picture.outline(BROKEN_PX, BROKEN);
    }
    Ok(picture)
}

const BROKEN_PX: u32 = 4;
const BROKEN: [u8; 3] = [230, 50, 40];

fn end_capture(mut capture: Capture, report: &mut dyn FnMut(&str)) -> Result<()> {
    let file = capture.end().map_err(anyhow::Error::msg)?;
    log::info!("captured {}", file.display());
    report(&format!("captured {}\n", file.display()));
    Ok(())
}

fn device_probe(gpu: &Arc<Gpu>) -> Option<DeviceProbe> {
    let probe = DeviceProbe::kept_or_measured(gpu, folders::cache().as_deref());
    probe.inspect_err(|why| log::info!("the bandwidth of this device is unknown: {why:#}")).ok()
}

fn recording(Request { size, output, .. }: &Request<'_>) -> Result<Option<Recording>> {
    output.record.as_ref().map(|file| Recording::new(file, *size, output.frames)).transpose()
}

fn report_tables(renderer: &Renderer, session: &Session, report: &mut dyn FnMut(&str)) {
    for (_, Report { title, head, rows }) in renderer.reports(&session.settings) {
        let mut table = Table::new(&head);
        rows.into_iter().for_each(|row| table.row(row));
        report(&format!("{title}\n{}\n", table.text()));
    }
}

struct Motions<'a> {
    a: Motion<'a>,
    b: Option<Motion<'a>>,
}

impl<'a> Motions<'a> {
    fn new(gpu: &Gpu, request: &Request<'a>, pair: Option<&HeadlessPair>) -> Result<Self> {
        let of_b = |pair: &HeadlessPair| {
            let mut b = Motion::new(gpu, request, pair.settings().clone())?;
            pair.change_glass(&mut b.lenses);
            anyhow::Ok(b)
        };
        let b = pair.map(of_b).transpose()?;
        Ok(Self { a: Motion::new(gpu, request, request.session.settings.clone())?, b })
    }

    fn set_rays(&mut self, auto: AutoRays) {
        [Some(&mut self.a), self.b.as_mut()].into_iter().flatten().for_each(|motion| motion.plan.auto_rays = auto);
    }

    fn record(
        &self,
        frame: &mut Frame,
        number: u32,
        is_last: bool,
        renderer: &mut Renderer,
        mut pair: Option<&mut HeadlessPair>,
        target: &ImageView,
    ) -> Result<()> {
        renderer.background().set_clip_time(self.a.clip_s(number));
        if let Some((b, pair)) = self.b.as_ref().zip(pair.as_mut()) {
            pair.background().set_clip_time(b.clip_s(number));
        }
        self.a.with_params(number, |a| match self.b.as_ref().zip(pair) {
            None => Ok(renderer.record(frame, a, target)?),
            Some((b, pair)) => b.with_params(number, |b| pair.record(frame, renderer, a, b, is_last, target)),
        })
    }
}

struct Motion<'a> {
    session: &'a Session,
    settings: Settings,
    lenses: Vec<Lens>,
    area_px: Vec2,
    route: Option<Route>,
    frames: u32,
    step: Duration,
    rate: f64,
    drifts: bool,
    plan: FramePlan,
}

impl<'a> Motion<'a> {
    fn new(gpu: &Gpu, request: &Request<'a>, settings: Settings) -> Result<Self> {
        let Request { session, size: [width, height], output, saves, ref asked, .. } = *request;
        let policy = gpu.policy();
        let saved: Vec<_> = saves.iter().map(Save::technique).chain(asked.steps.map(|steps| steps.technique)).collect();
        let input = PlanInput { policy, measures_bounces: false, view: session.shown, saved: &saved, window: None };
        let area_px = Vec2::new(width as f32, height as f32);
        Ok(Self {
            session,
            lenses: session.lenses(area_px),
            area_px,
            route: output.path.as_ref().map(Route::new).transpose()?,
            frames: output.frames,
            step: if output.record.is_some() { Duration::from_millis(STEP_MS.into()) } else { STEP },
            rate: if output.record.is_some() { 1000.0 / f64::from(STEP_MS) } else { 60.0 },
            drifts: session.settings.scene.drifts(!policy.is_slow),
            plan: FramePlan::of(&settings, &input),
            settings,
        })
    }

    fn copied(&self, renderer: &Renderer, files: &[PathBuf]) -> Result<Vec<String>> {
        let copied = |file: &PathBuf| {
            let language = ReportOptions::language(file)?;
            let text = self.with_params(self.frames, |params| {
                renderer.glass().copied(language, &params.settings.glass, params.lenses, self.area_px, 1.0)
            });
            text.map_err(|why| Failure::bad(format!("--copy-as {}: {why}", file.display())))
        };
        Ok(files.iter().map(copied).collect::<std::result::Result<_, _>>()?)
    }

    /// No other frame depends on it.
    fn at_rest(&self, frames: &mut Frames, number: u32, renderer: &mut Renderer) -> Result<Picture> {
        let size = self.area_px.as_uvec2().to_array();
        let desc = ImageDesc::new("headless rest", size, Format::Rgba8, &[Use::Color, Use::Storage]);
        let target = Image::new(frames.gpu(), desc.aliases(&[Format::R32U]))?.mip(0);
        renderer.forget_world();
        for _ in 0..self.settings.antialias.samples + FRAMES_MORE {
            let mut frame = frames.begin()?;
            self.with_params(number, |params| {
                renderer.record(&mut frame, &FrameParams { seconds: 0.0, ..*params }, &target)
            })?;
            frames.submit(frame)?;
            while frames.take_timing().is_some() {}
        }
        let (seen, _) = frames.once(|frame| Output::from(target).read(frame))?;
        while frames.take_timing().is_some() {}
        renderer.forget_world();
        Ok(seen.picture()?)
    }

    /// A quotient: sums of steps would round down to the frame before.
    fn clip_s(&self, number: u32) -> f64 {
        f64::from(self.settings.scene.speed) * f64::from(number.saturating_sub(1)) / self.rate
    }

    /// A motif of use at rest, but for the list's offset and the pointer.
    fn used(&self, number: u32, scene: &SceneSettings) -> Option<UseFrame> {
        let has_file = self.session.pictures.below.is_some();
        if !scene.uses_motif() || has_file || self.settings.glass.mode != Mode::Lens {
            return None;
        }
        let stage = Stage { size_px: self.area_px, free_px: self.area_px, scale: 1.0 };
        let (mut used, mut scene) = (motif::Use::default(), scene.clone());
        let part = number.saturating_sub(1) as f32 / self.frames as f32;
        if let Some(at) = self.route.as_ref().and_then(|route| route.pointer(part, self.area_px)) {
            used.handle(UseEvent::Moved(at), &mut scene, &stage, &Feel::STILL);
            used.advance(1.0, &mut scene, &stage, &Feel::STILL);
        }
        Some(used.frame(&scene, &stage, &Feel::STILL))
    }

    fn with_params<T>(&self, number: u32, work: impl FnOnce(&FrameParams<'_>) -> T) -> T {
        let (mut settings, mut lenses) = (self.settings.clone(), self.lenses.clone());
        let gone = number.saturating_sub(1) as f32;
        if let Some(route) = &self.route {
            route.place(gone / self.frames as f32, self.area_px, &mut lenses, &mut settings.scene);
        }
        let used = self.used(number, &settings.scene);
        if let Some(used) = &used {
            lenses = used.lenses(settings.glass.lens_glass());
        }
        for lens in &mut lenses {
            lens.glass = lens.glass.tinted(settings.glass.tinted);
        }
        let seconds = if number > 1 { self.step.as_secs_f64() as f32 } else { 0.0 };
        let drifted_s = if self.drifts { gone * self.step.as_secs_f32() } else { 0.0 };
        let (view, plan) = (self.session.shown, self.plan);
        work(&FrameParams {
            view,
            seconds,
            drifted_s,
            plan,
            used: used.as_ref(),
            ..FrameParams::of(&settings, &lenses)
        })
    }
}

fn on_timing(
    frames: &mut Frames,
    renderer: &mut Renderer,
    mut pair: Option<&mut HeadlessPair>,
    rays: &mut Option<RayChoice>,
    timings: &mut Vec<FrameTiming>,
) -> Result<()> {
    while let Some(timing) = frames.take_timing() {
        rays.as_mut().and_then(|rays| rays.on_timing(&timing));
        match &mut pair {
            Some(pair) => pair.on_timing(&timing, renderer)?,
            None => renderer.on_timing(&timing)?,
        }
        timings.push(if frames.gpu().untimed().is_some() { timing.without_gpu_times() } else { timing });
    }
    Ok(())
}
