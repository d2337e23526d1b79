//! The web page that `--copy-as lens.html` writes, in a headless Chromium (MENISCUS_BROWSER) with its software adapter: its pixels against the
//! program's frames.

use super::program::{Folder, saved, words};
use base64::Engine as _;
use media::picture::Picture;
use serde_json::{Value, json};
use std::{
    ffi::OsString,
    io::{BufRead as _, BufReader, Write as _},
    path::{Path, PathBuf},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

const HALF: [f32; 2] = [110.0, 70.0];
const EXPONENT: f32 = 4.5;
const LENS: &str = "--set glass.half_width=110 --set glass.half_height=70";
/// Of the file.
const PLACE: [f32; 2] = [205.0, 190.0];
const SIZE: [u32; 2] = [640, 360];
/// The software driver as the browser's Vulkan, too: a canvas of WebGPU needs images of it.
const WEBGPU: [&str; 5] = [
    "--enable-unsafe-webgpu",
    "--use-webgpu-adapter=swiftshader",
    "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
    "--use-angle=vulkan",
];

/// Driven through the DevTools protocol: JSON that ends in a zero, on file descriptors 3 and 4.
struct Browser {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    calls: u64,
    session: Option<String>,
    _profile: Folder,
}

impl Browser {
    fn new(browser: &OsString, options: &[&str]) -> Self {
        let profile = Folder::new(&format!("browser-{}", options.len()));
        let pipes = "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1";
        let mut process = Command::new("sh")
            .args(["-c", pipes, "sh"])
            .arg(browser)
            .args(["--headless", "--no-sandbox", "--hide-scrollbars", "--remote-debugging-pipe"])
            .arg(format!("--user-data-dir={}", profile.0.display()))
            .args(options)
            // The program's driver is not the browser's.
            .env_remove("VK_DRIVER_FILES")
            .env_remove("VK_LAYER_PATH")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (input, output) = (process.stdin.take().unwrap(), BufReader::new(process.stdout.take().unwrap()));
        let mut browser = Self { process, input, output, calls: 0, session: None, _profile: profile };
        let target = browser.call("Target.createTarget", json!({"url": "about:blank"}))["targetId"].clone();
        let attached = browser.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        browser
    }

    fn call(&mut self, method: &str, parameters: Value) -> Value {
        self.calls += 1;
        let mut message = json!({"id": self.calls, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            message["sessionId"] = session.clone().into();
        }
        self.input.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.output.read_until(0, &mut bytes).unwrap();
            assert_eq!(bytes.pop(), Some(0), "{method}: the browser has ended");
            let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == self.calls {
                assert!(answer.get("error").is_none(), "{method}: {}", answer["error"]);
                return answer["result"].take();
            }
        }
    }

    fn value(&mut self, script: &str) -> Value {
        let mut answer = self.call("Runtime.evaluate", json!({"expression": script, "returnByValue": true}));
        assert!(answer.get("exceptionDetails").is_none(), "{script}: {answer}");
        answer["result"]["value"].take()
    }

    fn wait_for(&mut self, script: &str) {
        let begin = Instant::now();
        while self.value(script) != true {
            let why = self.value("document.getElementById('why')?.textContent");
            assert!(begin.elapsed() < Duration::from_secs(120), "{script} does not become true; {why}");
            thread::sleep(Duration::from_millis(50));
        }
    }

    fn wait_until_drawn(&mut self) {
        self.wait_for("document.getElementById('view')?.getAttribute('aria-busy') === 'false'");
    }

    fn open(&mut self, page: &Path, [width, height]: [u32; 2]) {
        let metrics = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
        self.call("Page.navigate", json!({"url": format!("file://{}", page.display())}));
    }

    fn choose(&mut self, picture: &Path) {
        let root = self.call("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let input = self.call("DOM.querySelector", json!({"nodeId": root, "selector": "#file"}))["nodeId"].clone();
        self.call("DOM.setFileInputFiles", json!({"nodeId": input, "files": [picture]}));
        let name = picture.file_name().unwrap().to_str().unwrap();
        self.wait_for(&format!("document.getElementById('help').textContent === '{name}'"));
    }

    fn slide(&mut self, label: &str, value: f32) {
        let script = format!(
            "for (const label of document.querySelectorAll('label')) if (label.firstChild.data === '{label}') {{ \
             const input = label.querySelector('input'); input.value = {value}; input.dispatchEvent(new Event('input')); }}"
        );
        self.value(&script);
    }

    fn drag(&mut self, from: [f32; 2], way: [f32; 2]) {
        let mut send = |kind: &str, part: f32| {
            let [x, y] = [0, 1].map(|axis| from[axis] + part * way[axis]);
            let buttons = u32::from(kind != "mouseReleased");
            let event = json!({"type": kind, "x": x, "y": y, "button": "left", "buttons": buttons, "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        };
        send("mousePressed", 0.0);
        send("mouseMoved", 0.5);
        send("mouseMoved", 1.0);
        send("mouseReleased", 1.0);
    }

    fn picture(&mut self) -> Picture {
        let answer = self.call("Page.captureScreenshot", json!({"format": "png"}));
        let bytes = base64::engine::general_purpose::STANDARD.decode(answer["data"].as_str().unwrap()).unwrap();
        Picture::decode(&bytes).unwrap()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// Negative inside, in pixels along the shorter half axis.
fn from_outline(x: u32, y: u32, center: [f32; 2]) -> f32 {
    let away = [x as f32 + 0.5 - center[0], y as f32 + 0.5 - center[1]];
    let power = |axis: usize| (away[axis].abs() / HALF[axis]).powf(EXPONENT);
    ((power(0) + power(1)).powf(1.0 / EXPONENT) - 1.0) * HALF[1]
}

/// Share of the pixels within the lens that are more than 2 off, largest difference there; the same outside.
fn differences(a: &Picture, b: &Picture, center: [f32; 2]) -> [(f64, u8); 2] {
    assert_eq!(a.size, b.size);
    let mut all = [(0_u32, 0_u32, 0_u8); 2];
    for (x, y) in (0..a.size[1]).flat_map(|y| (0..a.size[0]).map(move |x| (x, y))) {
        let d = from_outline(x, y, center);
        if d.abs() > 1.5 {
            let (a, b) = (a.pixel(x, y), b.pixel(x, y));
            let most = (0..3).map(|channel| a[channel].abs_diff(b[channel])).max().unwrap_or(0);
            let part = &mut all[usize::from(d > 0.0)];
            *part = (part.0 + 1, part.1 + u32::from(most > 2), part.2.max(most));
        }
    }
    all.map(|(count, beyond, most)| (f64::from(beyond) / f64::from(count.max(1)), most))
}

fn drawn(line: &str, files: &[(&str, &Path)]) {
    let files = files.iter().flat_map(|(option, file)| [OsString::from(option), (*file).into()]);
    saved(&words(line).into_iter().chain(files).collect::<Vec<_>>());
}

/// To be looked at.
fn kept(name: &str) -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// Glass, size, what sliders change, and the same for the program.
type Case = (&'static str, [u32; 2], &'static [(&'static str, f32)], &'static str);

#[test]
fn a_page_draws_what_the_program_draws() {
    let Some(browser) = std::env::var_os("MENISCUS_BROWSER").filter(|browser| !browser.is_empty()) else {
        return eprintln!("skipped: no Chromium (scripts/test --web names it in MENISCUS_BROWSER)");
    };
    let folder = Folder::new("web");
    let mut chromium = Browser::new(&browser, &WEBGPU);
    let snell: Case = ("clear", SIZE, &[], "");
    let cases: [Case; 6] = [
        snell,
        ("clear", [801, 443], &[("Frost", 8.0)], "--set glass.frost=8"),
        (
            "clear",
            [517, 600],
            &[("Refraction", 1.8), ("Dispersion", 0.1), ("Thickness", 40.0)],
            "--set glass.ior=1.8 --set glass.abbe=10 --set glass.bevel_height=40",
        ),
        ("prism", SIZE, &[], ""),
        ("system_clear", SIZE, &[], ""),
        ("system_regular", [801, 443], &[], ""),
    ];
    for (preset, size, sliders, settings) in cases {
        let glass = format!("--set scene.source=picture --set glass.preset={preset} {LENS}");
        let of_size = format!("--size {}x{}", size[0], size[1]);
        let [page, below, frame] = ["lens.html", "below.png", "frame.png"].map(|name| folder.path(name));
        let file = format!("--size {}x{} --lens {},{} {glass}", SIZE[0], SIZE[1], PLACE[0], PLACE[1]);
        drawn(&file, &[("--copy-as", &page)]);
        let lines = std::fs::read_to_string(&page).unwrap().lines().count();
        assert!(lines <= 1500, "{preset}: {lines} lines");
        drawn(&format!("{of_size} --lens -900,-900 {glass}"), &[("--png", &below)]);
        let from = [0, 1].map(|axis| PLACE[axis] / SIZE[axis] as f32 * size[axis] as f32);
        let way = [61.0, -23.0];
        let [x, y] = [0, 1].map(|axis| from[axis] + way[axis]);
        drawn(&format!("{of_size} --lens {x},{y} {glass} {settings}"), &[("--image", &below), ("--png", &frame)]);
        let [below_picture, frame] = [&below, &frame].map(|file| Picture::load(file).unwrap());

        chromium.open(&page, size);
        chromium.wait_until_drawn();
        chromium.value("document.getElementById('panel').hidden = true");
        for (label, value) in sliders {
            chromium.slide(label, *value);
        }
        chromium.wait_until_drawn();
        chromium.drag(from, way);
        chromium.wait_until_drawn();
        // Over another picture the glass forgets the brightness, as it has none in the program's first frame.
        chromium.choose(&below);
        chromium.wait_until_drawn();
        let seen = chromium.picture();
        for (picture, drawn_by) in [(&seen, "page"), (&frame, "program")] {
            picture.save_png(&kept(&format!("web-{preset}-{}-{drawn_by}.png", size[0]))).unwrap();
        }
        let [(beyond, most), (outside, farthest)] = differences(&seen, &frame, [x, y]);
        let [(_, effect), _] = differences(&below_picture, &frame, [x, y]);
        eprintln!(
            "{preset} at {size:?}: {lines} lines; within the lens {:.3} % of the pixels are more than 2/255 off, at most \
             {most}; outside {:.3} %, at most {farthest}",
            100.0 * beyond,
            100.0 * outside
        );
        assert!(beyond <= 0.01 && outside <= 0.01 && effect > 30, "{preset} at {size:?}");
    }
}

#[test]
fn a_page_without_webgpu_shows_a_picture() {
    let Some(browser) = std::env::var_os("MENISCUS_BROWSER").filter(|browser| !browser.is_empty()) else {
        return eprintln!("skipped: no Chromium (scripts/test --web names it in MENISCUS_BROWSER)");
    };
    let folder = Folder::new("web-missing");
    let page = folder.path("lens.html");
    drawn(&format!("--size 640x360 --set scene.source=picture {LENS}"), &[("--copy-as", &page)]);
    let mut chromium = Browser::new(&browser, &["--disable-features=WebGPU"]);
    chromium.open(&page, SIZE);
    chromium.wait_for("document.getElementById('missing')?.checkVisibility() === true");
    chromium.wait_for("document.getElementById('still').naturalWidth === 640");
    assert_eq!(chromium.value("document.getElementById('view').checkVisibility()"), false);
    chromium.picture().save_png(&kept("web-missing.png")).unwrap();
}
