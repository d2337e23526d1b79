//! Embedded shaders: deflated SPIR-V, or text compiled on first use.
use super::{
    error::{Error, Result},
    shader_compiler::Compiler,
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Instant,
};

/// Output of build.rs: `SPIRV` by name (digest of its text, deflated, empty if compiled late) and `TEXTS` by file.
mod built {
    include!(concat!(env!("OUT_DIR"), "/shaders.rs"));
}

static LATE: Mutex<Option<HashMap<&'static str, Vec<u32>>>> = Mutex::new(None);

fn entry(name: &str) -> Result<(&'static str, u64, &'static [u8])> {
    built::SPIRV.iter().find(|(known, ..)| *known == name).copied().ok_or_else(|| {
        let problem = "no such shader; expected a file (and variant) below shaders/".into();
        Error::Shader { name: name.into(), problem }
    })
}

pub fn names() -> impl Iterator<Item = &'static str> {
    built::SPIRV.iter().map(|(name, ..)| *name)
}

pub fn digest(name: &str) -> Result<u64> {
    Ok(entry(name)?.1)
}

pub fn spirv(name: &str) -> Result<Vec<u32>> {
    let (name, _, bytes) = entry(name)?;
    if !bytes.is_empty() {
        let bytes = miniz_oxide::inflate::decompress_to_vec(bytes).map_err(|e| {
            let problem = format!("this program's own copy is damaged ({e}); expected deflated SPIR-V: build it again");
            Error::Shader { name: name.into(), problem }
        })?;
        return Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]])).collect());
    }
    let mut late = LATE.lock().unwrap_or_else(PoisonError::into_inner);
    let late = late.get_or_insert_default();
    if let Some(words) = late.get(name) {
        return Ok(words.clone());
    }
    let begin = Instant::now();
    let words = compiled(name)?;
    log::info!("shader {name} is rare and was compiled now, in {:.1} s", begin.elapsed().as_secs_f64());
    late.insert(name, words.clone());
    Ok(words)
}

pub fn text(file: &str) -> std::result::Result<String, String> {
    let found = built::TEXTS.iter().find(|(known, _)| *known == file);
    found.map(|(_, text)| (*text).to_owned()).ok_or(format!("{file} is not in this program"))
}

fn compiled(name: &str) -> Result<Vec<u32>> {
    let made = Compiler::new().and_then(|compiler| compiler.compile(&text, name));
    made.map_err(|problem| Error::Shader { name: name.into(), problem })
}

#[cfg(test)]
mod tests {
    use super::{super::shader_compiler, *};

    #[test]
    fn a_rare_shader_needs_no_source_tree() {
        let rare = "mip_chain/single_pass.comp:rgba8_plain";
        let words = compiled(rare).unwrap();
        assert!(words == spirv(rare).unwrap(), "{} words", words.len());
        let folder = std::path::Path::new(env!("MENISCUS_CHECKOUT")).join("shaders");
        assert!(shader_compiler::shaders(&folder).unwrap().iter().any(|shader| shader.name == rare && shader.rare));
        assert!(compiled("gpu/none.comp").unwrap_err().to_string().contains("gpu/none.comp is not in this program"));
    }
}
