//! Links and pictures of a site: each names a file or an anchor that is there.

use std::collections::BTreeMap;

/// Files of a site by their path.
pub type Files = BTreeMap<String, Vec<u8>>;

/// Links of pages that lead nowhere, in sentences.
pub fn problems(files: &Files) -> Vec<String> {
    let mut wrong = Vec::new();
    for (page, bytes) in files.iter().filter(|(name, _)| name.ends_with(".html")) {
        let text = String::from_utf8_lossy(bytes);
        for target in values(&text, "href").chain(values(&text, "src")) {
            if ["https://", "http://", "data:"].iter().any(|start| target.starts_with(start)) {
                continue;
            }
            let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file = if path.is_empty() { page.clone() } else { resolved(page, path) };
            let has_anchor = |bytes: &[u8]| {
                let text = String::from_utf8_lossy(bytes);
                anchor.is_empty() || values(&text, "id").any(|id| id == anchor)
            };
            match files.get(&file) {
                None => wrong.push(format!("{page}: {target} names no file of the site")),
                Some(bytes) if !has_anchor(bytes) => wrong.push(format!("{page}: {target} names no place in {file}")),
                Some(_) => {}
            }
        }
    }
    wrong
}

/// Values of an attribute.
fn values<'a>(text: &'a str, name: &str) -> impl Iterator<Item = &'a str> {
    let mark = format!(" {name}=\"");
    let mut rest = text;
    std::iter::from_fn(move || {
        let (value, after) = rest.split_once(&mark)?.1.split_once('"')?;
        rest = after;
        Some(value)
    })
}

/// A path relative to a page.
pub fn resolved(page: &str, path: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in path.split('/') {
        match part {
            ".." => {
                parts.pop();
            }
            "." | "" => {}
            part => parts.push(part),
        }
    }
    parts.join("/")
}
