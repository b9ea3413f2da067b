//! [`Pen`] draws pictures and texts on a page of a PDF file. Lengths are in points, from the upper left corner of the page.

use pdf_writer::{Content, Name, Str, types::LineCapStyle};
use puzzled_engine::picture::{Area, DIGIT_HEIGHT, Mark, Picture, Point, Stroke, star};

use super::fonts::{Encoded, Font};

/// The name of Helvetica in the content of pages.
pub(super) const REGULAR: Name<'_> = Name(b"R");
/// The name of Helvetica-Bold in the content of pages.
pub(super) const BOLD: Name<'_> = Name(b"B");

/// A place on a page.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Place {
    /// Distance from the left edge of the paper.
    pub(super) left: f32,
    /// Distance from the upper edge of the paper. For texts, that of the baseline.
    pub(super) top: f32,
}

/// Which point of a line of text a place is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Left,
    Center,
    Right,
}

/// The font of a text, and its size in points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Type {
    pub(super) font: Font,
    pub(super) size: f32,
}

/// The content of a page that is being drawn.
pub(super) struct Pen {
    content: Content,
    /// The height of the paper. PDF counts heights from below.
    height: f32,
    /// The width of lines and the gray of areas that are set.
    set: (f32, f32),
}

impl Pen {
    pub(super) fn new(height: f32) -> Self {
        let mut content = Content::new();
        // The lines of pictures extend by half of their width.
        content.set_line_cap(LineCapStyle::ProjectingSquareCap);
        Self { content, height, set: (1.0, 0.0) }
    }

    /// The marks of the page.
    pub(super) fn done(self) -> Vec<u8> {
        self.content.finish().into_vec()
    }

    /// Draws a picture whose board begins at `at`, with cells of this width.
    pub(super) fn picture(&mut self, picture: &Picture, at: Place, cell: f32) {
        let place = |point: Point| Place { left: at.left + point.x * cell, top: at.top + point.y * cell };
        for mark in &picture.marks {
            match mark {
                Mark::Fill(area, shade) => {
                    self.gray(shade.white());
                    self.rectangle(place(area.at), area, cell);
                    self.content.fill_nonzero();
                }
                Mark::Border(area, stroke) => {
                    self.width(*stroke, cell);
                    self.rectangle(place(area.at), area, cell);
                    self.content.stroke();
                }
                Mark::Line(from, to, stroke) => {
                    self.width(*stroke, cell);
                    let [(x, y), (to_x, to_y)] = [from, to].map(|point| self.flipped(place(*point)));
                    self.content.move_to(x, y).line_to(to_x, to_y).stroke();
                }
                Mark::Star(center, diameter) => {
                    self.gray(0.0);
                    for (number, corner) in star(*center, *diameter).into_iter().enumerate() {
                        let (x, y) = self.flipped(place(corner));
                        let content = &mut self.content;
                        if number == 0 {
                            content.move_to(x, y)
                        } else {
                            content.line_to(x, y)
                        };
                    }
                    self.content.close_path().fill_nonzero();
                }
                Mark::Text { center, size, text, style } => {
                    let font = if style.is_bold() { Font::Bold } else { Font::Regular };
                    let of = Type { font, size: size * cell };
                    let middle = place(*center);
                    let baseline = Place { top: middle.top + of.size * DIGIT_HEIGHT / 2.0, ..middle };
                    // Texts of pictures are ASCII, which the encoding has.
                    if let Ok(text) = Encoded::of(text) {
                        self.text(&text, of, baseline, Anchor::Center);
                    }
                }
            }
        }
    }

    /// Writes a line of text. Returns its width.
    pub(super) fn text(&mut self, text: &Encoded, of: Type, at: Place, anchor: Anchor) -> f32 {
        let width = text.width(of.font, of.size);
        let before = match anchor {
            Anchor::Left => 0.0,
            Anchor::Center => width / 2.0,
            Anchor::Right => width,
        };
        self.gray(0.0);
        let (x, y) = self.flipped(Place { left: at.left - before, ..at });
        let name = match of.font {
            Font::Regular => REGULAR,
            Font::Bold => BOLD,
        };
        let content = &mut self.content;
        content.begin_text().set_font(name, rounded(of.size)).next_line(x, y).show(Str(text.bytes())).end_text();
        width
    }

    fn rectangle(&mut self, at: Place, area: &Area, cell: f32) {
        let (x, y) = self.flipped(Place { top: at.top + area.height * cell, ..at });
        self.content.rect(x, y, rounded(area.width * cell), rounded(area.height * cell));
    }

    fn width(&mut self, stroke: Stroke, cell: f32) {
        let width = rounded(stroke.width() * cell);
        if (self.set.0 - width).abs() > f32::EPSILON {
            self.set.0 = width;
            self.content.set_line_width(width);
        }
    }

    fn gray(&mut self, white: f32) {
        if (self.set.1 - white).abs() > f32::EPSILON {
            self.set.1 = white;
            self.content.set_fill_gray(white);
        }
    }

    /// A place in the coordinates of PDF.
    fn flipped(&self, at: Place) -> (f32, f32) {
        (rounded(at.left), rounded(self.height - at.top))
    }
}

/// A length with two decimals: a third of the width of a hair, and short in the file.
pub(super) fn rounded(points: f32) -> f32 {
    (points * 100.0).round() / 100.0
}
