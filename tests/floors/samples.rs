//! Tests of the rules: each detects its violations in every notation, and nothing else.

use crate::{
    rules,
    source::{Source, What, module_of},
};

const IDS: [&str; 3] = ["glass", "shade", "meshlets"];

fn source(path: &str, text: &str) -> Source {
    Source::read(path, text, false).unwrap()
}

/// Texts that the rule must reject, and texts that it must accept.
fn judge(rule: impl Fn(&Source) -> Vec<String>, path: &str, refused: &[&str], allowed: &[&str]) {
    for text in refused {
        assert!(!rule(&source(path, text)).is_empty(), "{path}, to be refused: {text}");
    }
    for text in allowed {
        assert_eq!(rule(&source(path, text)), Vec::<String>::new(), "{path}, to be allowed: {text}");
    }
}

#[test]
fn a_floor_above_is_seen_however_it_is_named() {
    let refused = [
        "use crate::renderer::Renderer;",
        "use crate::{base::text, renderer::{self, WorldLoader}};",
        "use crate::{ base::text, techniques::{ glass, shade } };",
        "use super::super::renderer as other;",
        "use {crate::base::text, crate::ui::theme};",
        "fn f() { crate::app::print(\"x\"); }",
        "fn f() -> Vec<crate::ui::Theme> { vec![] }",
        "fn f() { let x: <crate::ui::Theme as Default>::Out; }",
        "fn a() {}\n#[cfg(test)]\nmod tests { use crate::renderer::Renderer; }",
        "#[cfg(test)] mod tests { fn a() {} }\nuse crate::ui;",
        "settings! { x: crate::ui::Theme = y; }",
        "#[derive(crate::app::Thing)] struct A;",
        "pub use crate::*;",
        "use crate as everything;",
        "use meniscus::ui::theme;",
        "mod inner { use super::super::super::ui; }",
    ];
    let allowed = [
        "use crate::{base::text, gpu::{self, Frame}};",
        "use super::{GpuScene, world::Camera}; use self::inner::x;",
        "// use crate::renderer::Renderer;\n/// crate::ui::x\nconst A: &str = \"crate::ui::x\";",
        "mod renderer { pub fn x() {} } fn f() { renderer::x() }",
        "fn f() { let s = \"use crate::ui;\"; let c = '\"'; let t = r#\"\" crate::ui \"\"#; }",
        "crate::choices! { enum A { B = \"b\" } }",
        "pub fn f<'a>(x: &'a str) -> &'a str { x }",
    ];
    judge(rules::floors, "scene/lens.rs", &refused, &allowed);
    // Those of one layer do not use each other, and the panels are independent of Vulkan.
    judge(rules::floors, "scene/world/mod.rs", &["use crate::lab::TestBench;"], &["use super::lens;"]);
    judge(rules::floors, "lab/probe.rs", &["use crate::scene::Lens;"], &["use crate::gpu::Gpu;"]);
    judge(rules::floors, "ui/theme.rs", &["use crate::gpu::Gpu;"], &["use crate::renderer::ActiveView;"]);
    judge(rules::floors, "main.rs", &[], &["use meniscus::app;"]);
}

#[test]
fn another_technique_is_seen_however_it_is_named() {
    let refused = [
        "use crate::techniques::shade::Shade;",
        "use crate::{base::text, techniques::{Stage, shade}};",
        "use super::shade;",
        "use super::{Stage, meshlets::{Meshlets}};",
        "use super::*;",
        "use super::super::techniques::shade;",
        "use crate::techniques::*;",
        "use crate::techniques as all;",
        "fn f() { super::shade::x(); }",
        "#[cfg(test)] mod tests { use super::super::shade::Shade; }",
        "mod a { mod b { use super::super::super::meshlets; } }",
    ];
    let allowed = [
        "use super::{Stage, Technique}; use crate::techniques::{FrameContext, glass::Blur};",
        "use super::glass::Blur; use self::shade::x; mod shade { pub fn x() {} }",
        "mod tests { use super::*; }",
    ];
    judge(|source| rules::techniques(source, &IDS), "techniques/glass/mod.rs", &refused, &allowed);
    let deep = ["use super::super::super::shade::x;", "fn f() { super::super::super::shade::x() }"];
    judge(|source| rules::techniques(source, &IDS), "techniques/glass/passes/glass.rs", &deep, &["use super::shade;"]);
    judge(|source| rules::techniques(source, &IDS), "techniques/mod.rs", &[], &["pub use shade::Shade;"]);
}

#[test]
fn what_proves_is_seen_where_something_runs() {
    let refused = [
        "use super::lab::reference;",
        "use super::{lab::{reference, checks}, passes};",
        "use self::lab::Figures;",
        "pub use crate::techniques::shade::lab::Figures;",
        "fn f() { crate::techniques::shade::lab::f() }",
    ];
    let allowed = [
        "#[cfg(feature = \"lab\")]\npub mod lab;",
        "use crate::lab::Check;",
        "#[cfg(test)] mod tests { use super::super::lab::reference; }",
    ];
    judge(rules::labs, "techniques/shade/passes.rs", &refused[..2], &allowed);
    judge(rules::labs, "techniques/shade/mod.rs", &refused[2..], &allowed[..2]);
    for proves in ["techniques/shade/lab/checks.rs", "suites/light.rs"] {
        judge(rules::labs, proves, &[], &refused[3..]);
    }
}

#[test]
fn libraries_and_unsafe_are_seen_where_they_must_not_be() {
    let refused = [
        "use ash::vk;",
        "use ash as vulkan;",
        "use {std::fs, ash::{vk, Device}};",
        "fn f() { let x = ::ash::vk::Format::default(); }",
        "extern crate ash;",
        "fn f(x: &winit::window::Window) {}",
        "#[derive(clap::Parser)] struct A;",
        "#[cfg(test)] mod tests { fn f() { unsafe { g() } } }",
        "unsafe impl Send for A {}",
        "macro_rules! m { () => { unsafe { x() } } }",
    ];
    let allowed = [
        "fn ash() {} fn f() { let ash = 1; ash.max(2); }",
        "//! ash::vk\n// unsafe\nconst A: &str = \"unsafe ash::vk\";",
        "use crate::gpu::ash_like;",
        "#![forbid(unsafe_code)] #[deny(unsafe_op_in_unsafe_fn)] fn f() {}",
    ];
    judge(rules::libraries, "scene/lens.rs", &refused, &allowed);
    judge(rules::libraries, "gpu/device.rs", &["use winit::window::Window;"], &["use ash::vk; unsafe fn f() {}"]);
    judge(rules::libraries, "app/cli.rs", &["use ash::vk;"], &["use clap::Parser; fn f(w: winit::window::Window) {}"]);
}

#[test]
fn panics_are_seen_outside_tests() {
    let refused = [
        "fn f() { x.unwrap(); }",
        "fn f() { x().expect(\"there\"); }",
        "fn f() { x\n    .unwrap\n    () }",
        "fn f() { xs.iter().map(Option::unwrap); }",
        "fn f() { todo!() }",
        "fn f() { std::unimplemented!() }",
        "fn f() { panic!(\"x\") }",
        "fn f() { unreachable!() }",
        "macro_rules! m { ($x:expr) => { $x.unwrap() } }",
        "#[cfg(test)] mod tests { fn f() { x.unwrap() } }\nfn g() { y.unwrap() }",
        "#[cfg(test)] use a::{b};\nfn g() { y.unwrap() }",
        "#[cfg(test)] const A: [u8; 2] = { x };\nfn g() { y.unwrap() }",
        "#[cfg(not(test))] fn g() { y.unwrap() }",
        "struct A { #[cfg(test)] x: u8, y: u8 } fn g() { y.unwrap() }",
        "#[test] fn f() {} fn g() { y.unwrap() }",
    ];
    let allowed = [
        "fn f() { x.unwrap_or(1); x.unwrap_or_default(); expect(x); }",
        "#[cfg(test)] mod tests { #[test] fn f() { x.unwrap(); panic!() } }",
        "#[cfg(test)] fn f() { x.unwrap() }",
        "#[cfg(all(test, unix))] fn f() { x.unwrap() }",
        "#[cfg(test)] #[expect(dead_code)] pub const fn f(x: [u8; 2]) -> u8 { x.unwrap() }",
        "struct A { #[cfg(test)] x: u8, y: u8 }",
        "#[cfg(test)] impl<A, B> C for D<A, B> { fn f(&self) { x.unwrap() } }",
        "#[cfg(test)] fn f<A, B>(a: [u8; 2], b: B) -> A where A: B { x.unwrap() }",
        "impl F { pub const fn range(self) -> Self { match self { _ => panic!(\"no\") } } }",
        "/// x.unwrap()\nfn f() { \"x.unwrap()\"; }",
    ];
    judge(rules::panics, "scene/lens.rs", &refused, &allowed);
    let test = Source::read("gpu/tests.rs", "fn f() { x.unwrap() }", true).unwrap();
    assert_eq!(rules::panics(&test), Vec::<String>::new());
}

#[test]
fn a_question_for_a_software_driver_is_seen() {
    let found = |path: &str, text: &str| rules::policy(path, text).len();
    assert_eq!(found("src/a.rs", "if info.is_software() {}\nif kind == \"software\" {}\n// is_software\n"), 2);
    assert_eq!(found("src/gpu/device_policy.rs", "let is_software = true;\n"), 0);
}

#[test]
fn test_modules_and_lines_are_known() {
    let read = source("gpu/mod.rs", "mod a;\n#[cfg(test)]\nmod tests;\n\nfn f() {\n    x.unwrap();\n}\n");
    let place = What::TestModule(vec!["gpu".into(), "tests".into()]);
    assert!(read.named.iter().any(|named| named.what == place && named.line == 2));
    let read_apart = source("app/cli.rs", "#[cfg(test)]\n#[path = \"cli_tests.rs\"]\nmod tests;");
    let place = What::TestModule(vec!["app".into(), "cli_tests".into()]);
    assert!(read_apart.named.iter().any(|named| named.what == place));
    assert_eq!(rules::panics(&read), ["gpu/mod.rs:6: unwrap outside of tests"]);
    assert_eq!(module_of("techniques/glass/mod.rs"), ["techniques", "glass"]);
    assert_eq!(module_of("techniques/glass/passes/glass.rs"), ["techniques", "glass", "passes", "glass"]);
    assert_eq!((module_of("lib.rs"), module_of("main.rs")), (vec![], vec![]));
    assert!(Source::read("a.rs", "fn f( {", false).is_err());
}
