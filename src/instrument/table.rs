//! Bytes of a buffer as a table: a row for each record, a column for each number.

use super::texels::float;
use base::half;
use gpu::records::{RecordField, Records, Scalar};

const WORD: Scalar = Scalar::Unsigned(4);

pub struct BufferTable<'a> {
    records: &'a Records,
    first: usize,
    bytes: &'a [u8],
}

impl<'a> BufferTable<'a> {
    /// `bytes` begin `first` bytes from the buffer's start: there, or at a record.
    pub fn new(records: &'a Records, first: u64, bytes: &'a [u8]) -> Self {
        Self { records, first: first as usize, bytes }
    }

    pub fn header(&self) -> Vec<(String, String)> {
        if self.first > 0 {
            return Vec::new();
        }
        let number = |field: &RecordField| Some((field.name.clone(), text(self.bytes, field)?));
        self.records.header.iter().filter_map(number).collect()
    }

    pub fn columns(&self) -> Vec<String> {
        if self.is_undeclared() {
            return vec!["word".into()];
        }
        let name = |field: &RecordField| if field.name.is_empty() { "value".into() } else { field.name.clone() };
        self.records.fields.iter().map(name).collect()
    }

    pub fn stride(records: &Records) -> usize {
        if records.header.is_empty() && records.fields.is_empty() { WORD.bytes() } else { records.stride }
    }

    fn row_bytes(&self) -> usize {
        let start = if self.first == 0 { self.records.start } else { 0 };
        self.bytes.len().saturating_sub(start)
    }

    pub fn rows(&self) -> usize {
        self.row_bytes().checked_div(Self::stride(self.records)).unwrap_or(0)
    }

    pub fn row(&self, row: usize) -> Vec<String> {
        if self.is_undeclared() {
            let field = RecordField { name: String::new(), offset: 4 * row, scalar: WORD };
            return text(self.bytes, &field).into_iter().collect();
        }
        let start = if self.first == 0 { self.records.start } else { 0 } + row * self.records.stride;
        let at = |field: &RecordField| text(self.bytes.get(start..)?, field);
        self.records.fields.iter().map(|field| at(field).unwrap_or_default()).collect()
    }

    fn is_undeclared(&self) -> bool {
        self.records.header.is_empty() && self.records.fields.is_empty()
    }
}

fn text(bytes: &[u8], field: &RecordField) -> Option<String> {
    let bytes = bytes.get(field.offset..field.offset + field.scalar.bytes())?;
    let mut word = [0u8; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    let word = u64::from_le_bytes(word);
    Some(match field.scalar {
        Scalar::Unsigned(_) if word > 0xFFFF => format!("{word} ({word:#x})"),
        Scalar::Unsigned(_) => word.to_string(),
        Scalar::Signed(size) => {
            let unused = 64 - 8 * size.min(8) as u32;
            ((word << unused) as i64 >> unused).to_string()
        }
        Scalar::Float(2) => float(half::to_f32(word as u16)),
        Scalar::Float(8) => f64::from_bits(word).to_string(),
        Scalar::Float(_) => float(f32::from_bits(word as u32)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(name: &str, offset: usize, scalar: Scalar) -> RecordField {
        RecordField { name: name.into(), offset, scalar }
    }

    #[test]
    fn records_are_rows() {
        let records = Records {
            header: vec![field("count", 0, Scalar::Unsigned(4))],
            start: 4,
            stride: 12,
            fields: vec![
                field("a", 0, Scalar::Signed(2)),
                field("b", 2, Scalar::Float(2)),
                field("c.x", 4, Scalar::Float(4)),
                field("d", 8, Scalar::Unsigned(4)),
            ],
        };
        let mut bytes = 2u32.to_ne_bytes().to_vec();
        for (a, b, c, d) in [(-3i16, 0x3C00u16, 1e-9f32, 70_000u32), (7, 0x7E00, f32::INFINITY, 5)] {
            bytes.extend(a.to_ne_bytes());
            bytes.extend(b.to_ne_bytes());
            bytes.extend(c.to_ne_bytes());
            bytes.extend(d.to_ne_bytes());
        }
        bytes.push(9);
        let table = BufferTable::new(&records, 0, &bytes);
        assert_eq!(table.header(), [("count".into(), "2".into())]);
        assert_eq!(table.columns(), ["a", "b", "c.x", "d"]);
        assert_eq!(table.rows(), 2);
        assert_eq!(table.row(0), ["-3", "1", "1e-9", "70000 (0x11170)"]);
        assert_eq!(table.row(1), ["7", "NaN", "inf", "5"]);
        assert_eq!(table.row(2), ["", "", "", ""]);
        let later = BufferTable::new(&records, 16, &bytes[16..]);
        assert_eq!((later.header().len(), later.rows()), (0, 1));
        assert_eq!(later.row(0), table.row(1));
    }

    #[test]
    fn undeclared_buffers_are_words() {
        let bytes: Vec<u8> = [1u32, 0xFFFF_FFFF].iter().flat_map(|word| word.to_ne_bytes()).collect();
        let records = Records::default();
        let table = BufferTable::new(&records, 0, &bytes);
        assert_eq!((table.columns(), table.rows()), (vec!["word".to_owned()], 2));
        assert_eq!((table.row(0), table.row(1)), (vec!["1".to_owned()], vec!["4294967295 (0xffffffff)".to_owned()]));
        assert!(table.row(2).is_empty());
    }
}
