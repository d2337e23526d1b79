//! Pages of the site: those of the techniques, the other documents, all settings, all views.

use super::check::{Files, resolved};
use super::html::{self, Resolver, escaped};
use anyhow::Context as _;
use base::markdown::{Block, Style, blocks, pieces};
use base::settings::{Field, FieldKind};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use technique::{Info, Mention, field_at, has_row, mention};
use techniques::{INFOS, Settings};
use ui::picture_of_view;

const STYLE: &str = include_str!("style.css");
/// The glass as a page of its own.
const LENS: &str = "lens.html";

/// A section of the settings: its id, its title and its fields.
type SettingsSection = (&'static str, &'static str, &'static [Field]);

/// What the site is made of.
pub struct Site<'a> {
    root: &'a Path,
    figures: &'a Path,
    sections: Vec<SettingsSection>,
    fields: Vec<(&'static str, &'static [Field])>,
    /// Pages of the repository, by their path there.
    documents: BTreeSet<String>,
}

/// A page while it is made: what it names becomes files of the site.
struct PageResolver<'a> {
    site: &'a Site<'a>,
    /// Path of its source in the repository, and the technique that it is of; else empty.
    source: &'a str,
    technique: &'a str,
    /// Files of the repository that it shows, problems of its figures.
    copied: RefCell<BTreeSet<String>>,
    missing: RefCell<Vec<String>>,
}

impl<'a> Site<'a> {
    pub fn new(root: &'a Path, figures: &'a Path) -> Self {
        let mut settings = Settings::default();
        let sections: Vec<SettingsSection> =
            settings.sections().iter().map(|section| (section.id, section.title, section.settings.fields())).collect();
        let fields = sections.iter().map(|(id, _, fields)| (*id, *fields)).collect();
        let mut documents: BTreeSet<String> =
            ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"].map(str::to_owned).into();
        for folder in ["docs", "docs/measured", "docs/checked"] {
            let entries = fs::read_dir(root.join(folder)).into_iter().flatten().flatten();
            let names = entries.map(|entry| format!("{folder}/{}", entry.file_name().to_string_lossy()));
            documents.extend(names.filter(|name| name.ends_with(".md")));
        }
        documents.retain(|name| root.join(name).is_file());
        Self { root, figures, sections, fields, documents }
    }

    /// Every file of the site.
    pub fn files(&self) -> anyhow::Result<Files> {
        let mut files = Files::new();
        files.insert("style.css".into(), STYLE.into());
        if let Ok(page) = fs::read(self.figures.join(LENS)) {
            files.insert(LENS.into(), page);
        }
        let (mut copied, mut missing) = (BTreeSet::new(), Vec::new());
        for source in &self.documents {
            let text = fs::read_to_string(self.root.join(source)).with_context(|| source.clone())?;
            let technique = technique_of(source).map_or("", |info| info.id);
            let by =
                PageResolver { site: self, source, technique, copied: RefCell::default(), missing: RefCell::default() };
            let all = blocks(&text);
            let title =
                all.iter().find_map(|block| if let Block::Heading(1, title) = block { Some(*title) } else { None });
            let mut body = html::page(&all, &by);
            if source == "README.md" && files.contains_key(LENS) {
                body.insert_str(0, &format!("<iframe src=\"{LENS}\" title=\"The lens\"></iframe>\n"));
            }
            let name = name_of(source);
            files.insert(name.clone(), self.framed(&name, title.unwrap_or(source), &body).into());
            copied.extend(by.copied.into_inner());
            missing.extend(by.missing.into_inner());
        }
        anyhow::ensure!(missing.is_empty(), "{}", missing.join("\n"));
        files.insert("settings.html".into(), self.framed("settings.html", "Settings", &self.settings()).into());
        files.insert("views.html".into(), self.framed("views.html", "Views", &views_page()).into());
        for path in copied {
            let (from, to) = path.split_once('>').unwrap_or((&path, &path));
            files.insert(to.to_owned(), fs::read(Path::new(from)).with_context(|| from.to_owned())?);
        }
        for (info, view) in INFOS.iter().flat_map(|info| info.views.iter().map(move |view| (info, view))) {
            if let Some(png) = picture_of_view(info.id, view.name) {
                files.insert(view_file(info, view.name), png.to_vec());
            }
        }
        Ok(files)
    }

    /// A page with the list of all pages.
    fn framed(&self, name: &str, title: &str, body: &str) -> String {
        let up = "../".repeat(name.matches('/').count());
        let link = |(to, title): (String, String)| {
            let here = if to == name { " class=\"here\"" } else { "" };
            format!("<li><a{here} href=\"{up}{to}\">{}</a></li>\n", escaped(&title))
        };
        let of_technique = |info: &Info| {
            let source = format!("docs/{}.md", info.id);
            self.documents.contains(&source).then(|| (name_of(&source), info.title.to_owned()))
        };
        let techniques: String = INFOS.iter().filter_map(of_technique).map(link).collect();
        let own = [("settings.html", "Settings"), ("views.html", "Views")];
        let own: String = own.map(|(to, title)| link((to.into(), title.into()))).concat();
        let others = self.documents.iter().filter(|source| technique_of(source).is_none());
        let others = others.filter(|source| !source.contains("checked/") && !source.contains("measured/"));
        let others: String = others
            .map(|source| {
                let stem = source.trim_end_matches(".md").trim_start_matches("docs/").replace(['-', '_'], " ");
                let stem = if source == "README.md" { "Meniscus".into() } else { stem.to_lowercase() };
                link((name_of(source), stem[..1].to_uppercase() + &stem[1..]))
            })
            .collect();
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}: Meniscus</title>\n<link rel=\"stylesheet\" href=\"{up}style.css\">\n</head>\n<body>\n<nav>\n<b>Techniques</b>\n<ul>\n{techniques}</ul>\n<b>In the program</b>\n<ul>\n{own}</ul>\n<b>Documents</b>\n<ul>\n{others}</ul>\n</nav>\n<main>\n{body}</main>\n</body>\n</html>\n",
            title = escaped(title)
        )
    }

    /// Every setting with its description, range and default.
    fn settings(&self) -> String {
        let mut all = String::from(
            "<h1>Settings</h1>\n<p>As the panel shows them. <code>--set NAME=VALUE</code> sets one on the command line.</p>\n",
        );
        for (id, title, fields) in &self.sections {
            all += &format!("<h2 id=\"{id}\">{}</h2>\n<dl>\n", escaped(title));
            for field in fields.iter().filter(|field| has_row(field)) {
                all += &format!(
                    "<dt id=\"{id}.{}\">{} <code>{id}.{}</code></dt>\n<dd>{} {}; default {}.</dd>\n",
                    field.name,
                    escaped(&field.title()),
                    field.name,
                    escaped(field.doc),
                    escaped(&field.expected()),
                    escaped(&field.default_text())
                );
            }
            all += "</dl>\n";
        }
        all
    }

    /// Steps of a technique by name: their pictures.
    fn steps(&self, technique: &str) -> BTreeMap<String, String> {
        let folder = self.figures.join(technique);
        let text = fs::read_to_string(folder.join("steps.txt")).unwrap_or_default();
        let line =
            |line: &str| line.split_once(' ').map(|(number, name)| (name.trim().to_owned(), format!("{number}.png")));
        text.lines().filter_map(line).collect()
    }
}

impl Resolver for PageResolver<'_> {
    fn code(&self, code: &str) -> Option<String> {
        let up = self.up();
        match mention(code, self.technique, INFOS, &self.site.fields)? {
            Mention::Setting(place) => {
                let field = field_at(place, &self.site.fields)?;
                let path = format!("{}.{}", place.section, field.name);
                let hint = escaped(field.doc);
                let title = escaped(&field.title());
                Some(format!(
                    "<a class=\"setting\" href=\"{up}settings.html#{path}\" title=\"{hint}\">{title} <code>{path}</code></a>"
                ))
            }
            Mention::Value(place, value) => {
                let field = field_at(place, &self.site.fields)?;
                let path = format!("{}.{}", place.section, field.name);
                let named = if let FieldKind::Choice(all) = field.kind { all } else { &[] };
                let named = named.iter().find(|choice| value.as_str() == Some(choice.name));
                let (text, hint) = named.map_or((code.to_owned(), field.doc), |choice| (choice.title(), choice.doc));
                let hint = escaped(&format!("{path}={value}: {hint}"));
                Some(format!(
                    "<a class=\"value\" href=\"{up}settings.html#{path}\" title=\"{hint}\">{}</a>",
                    escaped(&text)
                ))
            }
            Mention::View([info, view]) => {
                let name = format!("{}/{}", INFOS[info].id, INFOS[info].views[view].name);
                Some(format!("<a href=\"{up}views.html#{name}\"><code>{name}</code></a>"))
            }
        }
    }

    fn views(&self, text: &str) -> String {
        let found = pieces(text).into_iter().filter(|(style, _)| *style == Style::Code);
        let found = found.filter_map(|(_, code)| mention(code, self.technique, INFOS, &self.site.fields));
        let picture = |found: Mention| match found {
            Mention::View([info, view]) => {
                let (info, view) = (&INFOS[info], &INFOS[info].views[view]);
                let (file, title) = (view_file(info, view.name), escaped(view.title));
                Some(format!("<img class=\"view\" src=\"{}{file}\" alt=\"{title}\" title=\"{title}\">", self.up()))
            }
            _ => None,
        };
        found.filter_map(picture).collect()
    }

    fn link(&self, target: &str) -> String {
        if target.starts_with("http") || target.starts_with('#') {
            return target.to_owned();
        }
        let (path, anchor) =
            target.split_once('#').map_or((target, String::new()), |(path, anchor)| (path, format!("#{anchor}")));
        let source = resolved(self.source, path);
        if self.site.documents.contains(&source) {
            return format!("{}{}{anchor}", self.up(), name_of(&source));
        }
        // A picture or a text that is not made into a page.
        self.copy(&self.site.root.join(&source), &format!("files/{source}"))
    }

    fn figure(&self, name: &str) -> String {
        let Some(picture) = self.site.steps(self.technique).remove(name) else {
            let text = format!("{}: the steps of {} have no figure \"{name}\"", self.source, self.technique);
            self.missing.borrow_mut().push(text);
            return String::new();
        };
        let from = self.site.figures.join(self.technique).join(&picture);
        let to = self.copy(&from, &format!("figures/{}-{picture}", self.technique));
        let name = escaped(name);
        format!("<figure><img src=\"{to}\" alt=\"Step {name}\"></figure>\n")
    }
}

impl PageResolver<'_> {
    fn up(&self) -> String {
        "../".repeat(name_of(self.source).matches('/').count())
    }

    /// Notes a file to be copied; returns the link to it.
    fn copy(&self, from: &Path, to: &str) -> String {
        self.copied.borrow_mut().insert(format!("{}>{to}", from.display()));
        format!("{}{to}", self.up())
    }
}

fn technique_of(source: &str) -> Option<&'static Info> {
    INFOS.iter().find(|info| source == format!("docs/{}.md", info.id))
}

/// Path of a page in the site.
fn name_of(source: &str) -> String {
    match source {
        "README.md" => "index.html".into(),
        _ => source.trim_start_matches("docs/").to_lowercase().replace(".md", ".html"),
    }
}

fn view_file(info: &Info, view: &str) -> String {
    format!("views/{}-{view}.png", info.id)
}

/// Every view with its picture.
fn views_page() -> String {
    let mut all = String::from(
        "<h1>Views</h1>\n<p><code>--view TECHNIQUE/VIEW</code> shows one through the lens; in the panel a click on its picture does.</p>\n",
    );
    for info in INFOS.iter().filter(|info| !info.views.is_empty()) {
        all += &format!("<h2 id=\"{}\">{}</h2>\n<dl class=\"views\">\n", info.id, escaped(info.title));
        for view in info.views {
            let name = format!("{}/{}", info.id, view.name);
            let picture = picture_of_view(info.id, view.name).map_or(String::new(), |_| {
                format!("<img class=\"view\" src=\"{}\" alt=\"\">", view_file(info, view.name))
            });
            all += &format!(
                "<dt id=\"{name}\">{picture}{} <code>{name}</code></dt>\n<dd>{}</dd>\n",
                escaped(view.title),
                escaped(view.doc)
            );
        }
        all += "</dl>\n";
    }
    all
}
