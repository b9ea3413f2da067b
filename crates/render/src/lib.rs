//! Writes pictures of puzzles as files, and sheets of puzzles to print. Equal data gives equal bytes: no file has a date, or a
//! random name.

pub mod sheet;

mod document;
mod fonts;
mod pen;

use clap::{ValueEnum, builder::PossibleValue};
use puzzled_engine::picture::{Picture, svg};

use document::{Info, Page};
use pen::{Pen, Place};

/// The width of a cell in the PDF file of one picture, in points: half an inch.
const CELL: f32 = 36.0;

/// The format of the file of a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PictureFormat {
    /// A text that browsers show.
    Svg,
    /// One page in the size of the picture.
    Pdf,
}

impl PictureFormat {
    /// All formats.
    pub const ALL: [Self; 2] = [Self::Svg, Self::Pdf];

    /// The usual end of a file's name, without the dot.
    #[must_use]
    pub fn extension(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
        }
    }

    /// The format of files whose names have this end.
    #[must_use]
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.extension() == extension)
    }

    /// The media type of the file.
    #[must_use]
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Svg => "image/svg+xml",
            Self::Pdf => "application/pdf",
        }
    }

    /// The file of a picture.
    #[must_use]
    pub fn write(self, picture: &Picture) -> Vec<u8> {
        match self {
            Self::Svg => svg::write(picture).into_bytes(),
            Self::Pdf => pdf(picture),
        }
    }
}

impl ValueEnum for PictureFormat {
    fn value_variants<'a>() -> &'a [Self] {
        &Self::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.extension()))
    }
}

/// A PDF file with one page, which the picture fills.
fn pdf(picture: &Picture) -> Vec<u8> {
    let [width, height] = picture.size();
    let [width, height, margin] = [width, height + picture.footer, picture.margin()].map(|cells| cells * CELL);
    let mut pen = Pen::new(height);
    pen.picture(picture, Place { left: margin, top: margin }, CELL);
    let page = Page { width, height, content: pen.done() };
    document::written(Info { title: &picture.title, subject: &picture.description }, &[page])
}
