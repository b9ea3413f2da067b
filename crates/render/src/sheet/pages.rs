//! Draws the pages of a sheet: the title and the rules, the puzzles with their captions, and the solutions.

use puzzled_engine::picture::Picture;

use super::{
    PerPage, Sheet, SheetError, SheetPuzzle, encoded,
    layout::{EDGE, Grid, Rectangle, smallest_digits},
};
use crate::{
    document::Page,
    fonts::{Encoded, Font},
    pen::{Anchor, Pen, Place, Type},
};

/// The grids of pages with solutions, the most solutions first.
const SOLUTION_GRIDS: [Grid; 6] = [
    Grid { columns: 4, rows: 5 },
    Grid { columns: 3, rows: 4 },
    Grid { columns: 2, rows: 3 },
    Grid { columns: 2, rows: 2 },
    Grid { columns: 1, rows: 2 },
    Grid { columns: 1, rows: 1 },
];

/// Distance of baselines, in sizes of the font.
const LEADING: f32 = 1.3;

/// The sizes of type, in points.
#[derive(Debug, Clone, Copy)]
struct Sizes {
    title: f32,
    rules: f32,
    caption: f32,
    /// IDs, seeds, page numbers, and the title on later pages.
    small: f32,
    digits_min: f32,
}

const USUAL: Sizes = Sizes { title: 18.0, rules: 9.5, caption: 10.0, small: 7.0, digits_min: 6.0 };
const LARGE: Sizes = Sizes { title: 26.0, rules: 16.0, caption: 16.0, small: 10.0, digits_min: 16.0 };

/// The pages that are drawn so far.
pub(super) struct Pages<'a> {
    sheet: &'a Sheet,
    sizes: Sizes,
    title: Encoded,
    rules: Encoded,
    /// The finished pages, without their numbers.
    drawn: Vec<Pen>,
}

impl<'a> Pages<'a> {
    pub(super) fn new(sheet: &'a Sheet) -> Result<Self, SheetError> {
        let sizes = if sheet.large_print { LARGE } else { USUAL };
        Ok(Self { sheet, sizes, title: encoded(&sheet.title)?, rules: encoded(&sheet.rules)?, drawn: Vec::new() })
    }

    /// Draws the pages with puzzles. Boards of one size have the same size on all pages.
    pub(super) fn puzzles(&mut self) -> Result<(), SheetError> {
        let rules = self.rules.clone();
        let first = self.headed(&mut self.pen(), &self.title, &rules);
        let pictures: Vec<_> = self.sheet.puzzles.iter().map(|puzzle| &puzzle.picture).collect();
        let captions = self.caption_height() + self.origin_height();
        let size = |per_page: PerPage| digits(&pictures, first, per_page.grid(), captions);
        let size_min = self.sizes.digits_min;
        let fitting = |most: PerPage| {
            PerPage::ALL.into_iter().find(|per_page| per_page.number() <= most.number() && size(*per_page) >= size_min)
        };
        let per_page = self.sheet.per_page.or(fitting(PerPage::Four)).unwrap_or(PerPage::One);
        if size(per_page) < size_min {
            return Err(SheetError::TooSmall { size: size(per_page), size_min, fitting: fitting(PerPage::Six) });
        }
        let grid = per_page.grid();
        for (page, puzzles) in (0..).zip(self.sheet.puzzles.chunks(grid.count().into())) {
            let mut pen = self.pen();
            let area =
                if page == 0 { self.headed(&mut pen, &self.title, &rules) } else { self.continued(&mut pen, "")? };
            for (index, puzzle) in (0..).zip(puzzles) {
                let number = page * usize::from(grid.count()) + usize::from(index) + 1;
                // The cells of the first page, whose parts are the lowest.
                let cell = below(first.part(grid, index), captions).cell(&puzzle.picture);
                self.puzzle(&mut pen, (number, puzzle), area.part(grid, index), cell)?;
            }
            self.drawn.push(pen);
        }
        Ok(())
    }

    /// Draws the pages with solutions: as many a page as can be read.
    pub(super) fn solutions(&mut self) -> Result<(), SheetError> {
        let solved = (1_usize..)
            .zip(&self.sheet.puzzles)
            .filter_map(|(number, puzzle)| Some((number, puzzle.solution.as_ref()?)));
        let solved: Vec<_> = solved.collect();
        let pictures: Vec<_> = solved.iter().map(|(_, picture)| *picture).collect();
        let (heading, nothing) = (encoded("Solutions")?, encoded("")?);
        let first = self.headed(&mut self.pen(), &heading, &nothing);
        let captions = self.caption_height();
        let fits = |grid: &Grid| digits(&pictures, first, *grid, captions) >= self.sizes.digits_min;
        let grid = SOLUTION_GRIDS.into_iter().find(fits).unwrap_or(Grid { columns: 1, rows: 1 });
        for (page, solved) in solved.chunks(grid.count().into()).enumerate() {
            let mut pen = self.pen();
            let area = if page == 0 {
                self.headed(&mut pen, &heading, &nothing)
            } else {
                self.continued(&mut pen, " – Solutions")?
            };
            for (index, (number, picture)) in (0..).zip(solved) {
                let cell = below(first.part(grid, index), captions).cell(picture);
                let part = area.part(grid, index);
                let left = board(&mut pen, picture, below(part, captions), cell);
                let baseline = Place { left, top: part.at.top + self.sizes.caption };
                pen.text(&encoded(&number.to_string())?, bold(self.sizes.caption), baseline, Anchor::Left);
            }
            self.drawn.push(pen);
        }
        Ok(())
    }

    /// The pages with their numbers.
    pub(super) fn done(self) -> Vec<Page> {
        let (width, height) = self.sheet.paper.size();
        let of = Type { font: Font::Regular, size: self.sizes.small };
        let count = self.drawn.len();
        let numbered = (1..).zip(self.drawn).map(|(number, mut pen): (usize, Pen)| {
            let at = Place { left: width / 2.0, top: height - EDGE };
            if let Ok(text) = Encoded::of(&format!("{number} / {count}")) {
                pen.text(&text, of, at, Anchor::Center);
            }
            Page { width, height, content: pen.done() }
        });
        numbered.collect()
    }

    fn pen(&self) -> Pen {
        Pen::new(self.sheet.paper.size().1)
    }

    /// Writes a title and the rules, and returns the rest of the page.
    fn headed(&self, pen: &mut Pen, title: &Encoded, rules: &Encoded) -> Rectangle {
        let mut rest = self.body();
        for (text, of) in [(title, bold(self.sizes.title)), (rules, regular(self.sizes.rules))] {
            for line in text.lines(of.font, of.size, rest.width) {
                let at = Place { top: rest.at.top + of.size, ..rest.at };
                pen.text(&line, of, at, Anchor::Left);
                rest = below(rest, of.size * LEADING);
            }
        }
        below(rest, self.sizes.caption)
    }

    /// Writes the title of a later page, as far as it fits into a line, and returns the rest of the page.
    fn continued(&self, pen: &mut Pen, part: &str) -> Result<Rectangle, SheetError> {
        let (body, of) = (self.body(), regular(self.sizes.small));
        let title = encoded(&format!("{}{part}", self.sheet.title))?;
        if let Some(line) = title.lines(of.font, of.size, body.width).first() {
            pen.text(line, of, Place { top: body.at.top + of.size, ..body.at }, Anchor::Left);
        }
        Ok(below(body, of.size + self.sizes.caption))
    }

    /// Draws a puzzle with its captions.
    fn puzzle(
        &self,
        pen: &mut Pen,
        (number, puzzle): (usize, &SheetPuzzle),
        part: Rectangle,
        cell: f32,
    ) -> Result<(), SheetError> {
        let area = below(part, self.caption_height());
        let left = board(pen, &puzzle.picture, area, cell);
        let Sizes { caption, small, .. } = self.sizes;
        let baseline = Place { left, top: part.at.top + caption };
        let width = pen.text(&encoded(&number.to_string())?, bold(caption), baseline, Anchor::Left);
        let beside = Place { left: left + width + caption, ..baseline };
        pen.text(&encoded(&puzzle.label)?, regular(caption), beside, Anchor::Left);
        let (width, height) = (f32::from(puzzle.picture.columns) * cell, puzzle.picture.size()[1] * cell);
        let below = area.at.top + height + small;
        pen.text(&encoded(&puzzle.origin)?, regular(small), Place { left: left + width, top: below }, Anchor::Right);
        Ok(())
    }

    /// The page without its edges and its number.
    fn body(&self) -> Rectangle {
        let (width, height) = self.sheet.paper.size();
        let number = self.sizes.small * 2.0;
        let at = Place { left: EDGE, top: EDGE };
        Rectangle { at, width: width - 2.0 * EDGE, height: height - 2.0 * EDGE - number }
    }

    fn caption_height(&self) -> f32 {
        self.sizes.caption * LEADING
    }

    fn origin_height(&self) -> f32 {
        self.sizes.small * LEADING
    }
}

/// Draws a board at the top of an area, in its middle. Returns its left border.
fn board(pen: &mut Pen, picture: &Picture, area: Rectangle, cell: f32) -> f32 {
    let left = area.at.left + (area.width - f32::from(picture.columns) * cell) / 2.0;
    pen.picture(picture, Place { left, top: area.at.top + picture.margin() * cell }, cell);
    left
}

/// The size in points of the smallest digits of these pictures, in the parts of a page with this much space for captions.
fn digits(pictures: &[&Picture], area: Rectangle, grid: Grid, captions: f32) -> f32 {
    let part = below(area.part(grid, 0), captions);
    pictures.iter().map(|picture| smallest_digits(picture) * part.cell(picture)).fold(f32::INFINITY, f32::min)
}

/// The rectangle without its uppermost part of this height.
fn below(area: Rectangle, height: f32) -> Rectangle {
    Rectangle { at: Place { top: area.at.top + height, ..area.at }, height: area.height - height, ..area }
}

fn bold(size: f32) -> Type {
    Type { font: Font::Bold, size }
}

fn regular(size: f32) -> Type {
    Type { font: Font::Regular, size }
}
