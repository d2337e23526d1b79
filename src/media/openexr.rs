//! OpenEXR pictures: the display window of the first flat layer with colours.

use super::pixels::LightPicture;
use super::resample;
use anyhow::{Context as _, Result, anyhow, ensure};
use exr::error::Error;
use exr::meta::attribute::EnvironmentMap;
use exr::prelude::{AnyChannel, FlatSamples, MetaData, ReadChannels as _, ReadLayers as _, read};
use std::io::Cursor;

pub struct Read {
    pub picture: LightPicture,
    pub remarks: Vec<String>,
    pub is_cube: bool,
}

const ASPECTS: std::ops::RangeInclusive<f32> = 0.1..=10.0;

pub fn decode(bytes: &[u8], check: impl Fn([u32; 2]) -> Result<()>) -> Result<Read> {
    let broken = |error: Error| match error {
        Error::NotSupported(what) => anyhow!("the file has {}, which is not read here", unread(&what)),
        _ => anyhow!("the file is damaged or cut off"),
    };
    let side = |side: usize| u32::try_from(side).unwrap_or(u32::MAX);
    let meta = MetaData::read_from_buffered(Cursor::new(bytes), false).map_err(broken)?;
    for header in &meta.headers {
        check([side(header.layer_size.x()), side(header.layer_size.y())])?;
    }
    let layers = read().no_deep_data().largest_resolution_level().all_channels().first_valid_layer().all_attributes();
    let image = layers.non_parallel().from_buffered(Cursor::new(bytes)).map_err(broken)?;
    let layer = image.layer_data;
    let size = [side(layer.size.x()), side(layer.size.y())];
    let mut remarks = Vec::new();
    let texels = colours(&layer.channel_data.list, layer.size.x() * layer.size.y(), &mut remarks)?;
    let mut picture = LightPicture { size, texels };
    let is_named = layer.attributes.environment_map == Some(EnvironmentMap::Cube);
    let is_cube = is_named && u64::from(size[0]) * 6 == u64::from(size[1]);
    if is_named && !is_cube {
        let [width, height] = size;
        remarks.push(format!("its header names a cube map, but {width}x{height} is not six times as high as wide"));
    }
    let display = image.attributes.display_window;
    let shown = [side(display.size.x()), side(display.size.y())];
    let at = |axis: fn(exr::math::Vec2<i32>) -> i32| {
        i64::from(axis(layer.attributes.layer_position)) - i64::from(axis(display.position))
    };
    let at = [at(|place| place.x()), at(|place| place.y())];
    if !is_cube && (shown != size || at != [0, 0]) {
        let is_apart = (0..2).any(|axis| at[axis] >= i64::from(shown[axis]) || at[axis] + i64::from(size[axis]) <= 0);
        if is_apart || check(shown).is_err() {
            remarks
                .push(format!("its display window of {}x{} is not used: all of its data is shown", shown[0], shown[1]));
        } else {
            picture = placed(&picture, shown, at);
        }
    }
    let aspect = image.attributes.pixel_aspect;
    if aspect != 1.0 && !is_cube {
        let [width, height] = picture.size.map(|side| side as f32);
        let wide = if aspect > 1.0 { [width * aspect, height] } else { [width, height / aspect] };
        let wide = wide.map(|side| (side.round() as u32).max(1));
        if ASPECTS.contains(&aspect) && check(wide).is_ok() {
            picture = resample::stretch(&picture, wide);
        } else {
            remarks.push(format!("its pixel aspect of {aspect} is not used"));
        }
    }
    Ok(Read { picture, remarks, is_cube })
}

fn unread(what: &str) -> String {
    match what.strip_prefix("yet unimplemented compression method: ") {
        Some(method) => method.to_owned(),
        None if what.contains("subsampling") => "subsampled channels (as Y, RY, BY)".into(),
        None => what.trim_end_matches(" not supported yet").to_owned(),
    }
}

fn placed(picture: &LightPicture, size: [u32; 2], [left, top]: [i64; 2]) -> LightPicture {
    let [width, height] = size.map(|side| side as usize);
    let [columns, rows] = picture.size.map(|side| side as usize);
    let mut texels = vec![[0.0; 3]; width * height];
    for (y, row) in picture.texels.chunks_exact(columns).take(rows).enumerate() {
        let Some(y) = usize::try_from(top + y as i64).ok().filter(|y| *y < height) else { continue };
        let skipped = usize::try_from(-left).unwrap_or(0).min(columns);
        let from = usize::try_from(left).unwrap_or(0);
        let to = &mut texels[y * width..][..width][from..];
        let count = to.len().min(columns - skipped);
        to[..count].copy_from_slice(&row[skipped..][..count]);
    }
    LightPicture { size, texels }
}

/// Channels of a named layer end in a point and the channel's own name.
fn colours(channels: &[AnyChannel<FlatSamples>], count: usize, remarks: &mut Vec<String>) -> Result<Vec<[f32; 3]>> {
    let names: Vec<String> = channels.iter().map(|channel| channel.name.to_string()).collect();
    let same = |channel: &&AnyChannel<FlatSamples>| channel.sample_data.len() == count;
    let values = |name: &str| {
        let found = channels.iter().find(|channel| channel.name.to_string().eq_ignore_ascii_case(name)).filter(same)?;
        Some(match &found.sample_data {
            FlatSamples::F16(values) => values.iter().map(|value| value.to_f32()).collect::<Vec<f32>>(),
            FlatSamples::F32(values) => values.clone(),
            FlatSamples::U32(values) => values.iter().map(|value| *value as f32).collect(),
        })
    };
    let mut layers: Vec<&str> = names.iter().filter_map(|name| Some(&name[..name.rfind('.')? + 1])).collect();
    layers.dedup();
    layers.insert(0, "");
    let list = names.join(", ");
    for layer in &layers {
        let [red, green, blue] = ["R", "G", "B"].map(|name| values(&format!("{layer}{name}")));
        let found = [&red, &green, &blue].into_iter().flatten().count();
        if found >= 2 {
            if found == 2 {
                remarks.push(format!("the channels are {list}: the missing one of red, green and blue is 0"));
            }
            let at = |values: &Option<Vec<f32>>, index: usize| values.as_ref().map_or(0.0, |values| values[index]);
            return Ok((0..count).map(|index| [at(&red, index), at(&green, index), at(&blue, index)]).collect());
        }
        // Beside X it is no luminance, but a part of a direction or of CIE XYZ.
        let luma = values(&format!("{layer}Y")).filter(|_| values(&format!("{layer}X")).is_none());
        let [red, blue] = ["RY", "BY"].map(|name| values(&format!("{layer}{name}")));
        if let (Some(luma), Some(red), Some(blue)) = (&luma, red, blue) {
            // RY and BY are divided by the luminance; ITU-R BT.709.
            let colour = |((y, red), blue): ((&f32, f32), f32)| {
                let [r, b] = [(red + 1.0) * y, (blue + 1.0) * y];
                [r, (y - 0.2126 * r - 0.0722 * b) / 0.7152, b]
            };
            return Ok(luma.iter().zip(red).zip(blue).map(colour).collect());
        }
        if let Some(luma) = luma {
            return Ok(luma.into_iter().map(|grey| [grey; 3]).collect());
        }
    }
    let is_opacity = |name: &str| name == "A" || name.ends_with(".A");
    let name = names.iter().find(|name| !is_opacity(name)).or(names.first()).context("there is no channel")?;
    let grey = values(name);
    ensure!(grey.is_some(), "a channel has another resolution than the picture");
    remarks.push(match names.len() {
        1 => format!("the only channel, {name}, is shown as grey"),
        _ => format!("the channels are {list}: {name} is shown as grey"),
    });
    Ok(grey.into_iter().flatten().map(|grey| [grey; 3]).collect())
}
