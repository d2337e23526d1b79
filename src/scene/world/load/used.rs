//! Vertices of a primitive in use, and what is left of the limits of a file.

use super::limits;
use anyhow::{Result, ensure};

pub struct Left {
    pub vertices: usize,
    pub triangles: usize,
    pub morphed: usize,
}

impl Left {
    pub fn new() -> Self {
        Self { vertices: limits::VERTICES, triangles: limits::TRIANGLES, morphed: limits::MORPHED }
    }
}

/// Others may be invalid, for example markers of an exporter.
pub struct Used {
    pub count: usize,
    pub vertices: Option<Vec<usize>>,
}

impl Used {
    pub fn of(indices: &mut [u32], count: usize) -> Self {
        let mut places: Vec<Option<u32>> = vec![None; count];
        indices.iter().for_each(|index| places[*index as usize] = Some(0));
        let vertices: Vec<usize> = (0..count).filter(|vertex| places[*vertex].is_some()).collect();
        if vertices.len() == count {
            return Self { count, vertices: None };
        }
        vertices.iter().zip(0..).for_each(|(vertex, place)| places[*vertex] = Some(place));
        indices.iter_mut().for_each(|index| *index = places[*index as usize].unwrap_or_default());
        Self { count, vertices: Some(vertices) }
    }

    pub fn take<T: Clone>(&self, what: &str, all: Vec<T>) -> Result<Vec<T>> {
        ensure!(all.len() == self.count, "{} {what}; expected {}, as many as positions", all.len(), self.count);
        Ok(match &self.vertices {
            Some(vertices) => vertices.iter().map(|vertex| all[*vertex].clone()).collect(),
            None => all,
        })
    }
}
