//! The canonical form of a Kakuro: equal for two puzzles if and only if they are isomorphs, that is, one becomes the
//! other by turning, mirroring, or replacing each digit d by 10 − d. This definition never changes, because the stock
//! compares these forms.

use super::{
    board::Puzzle,
    layout::{Layout, Run},
};

/// The text of the smallest of the puzzle's sixteen images.
///
/// The text has the width and the height, and then row by row two characters per cell: `..` for a white cell and `##`
/// for a block. A block with clues has the two-digit sum across and then down, with `--` for a missing one. Images
/// compare by height first, then by their cells: a white cell comes before a block, and a block before one with clues.
#[must_use]
pub fn canonical(puzzle: &Puzzle) -> String {
    let images = (0..16).map(|image| Image { puzzle, image });
    let smallest = images.map(|image| (image.height(), image.contents())).min();
    let Some((height, contents)) = smallest else { return String::new() };
    let width = contents.len() / height;
    let text: String = contents.iter().map(|content| content_text(*content)).collect();
    format!("{width}x{height}:{text}")
}

/// The content of a cell: white, a block, or clues across and down.
type Content = (u8, [u8; 2]);

/// White cells compare before blocks, and blocks before clues.
const WHITE: Content = (0, [0; 2]);

fn content_text((order, clues): Content) -> String {
    if order == 0 {
        return "..".to_owned();
    }
    if clues == [0; 2] {
        return "##".to_owned();
    }
    clues.map(|sum| if sum == 0 { "--".to_owned() } else { format!("{sum:02}") }).concat()
}

/// One image of a puzzle, numbered as in [`image`].
struct Image<'p> {
    puzzle: &'p Puzzle,
    image: u8,
}

impl Image<'_> {
    fn has(&self, bit: u8) -> bool {
        self.image & (1 << bit) != 0
    }

    fn width(&self) -> usize {
        let layout = self.puzzle.layout();
        if self.has(2) { layout.height() } else { layout.width() }
    }

    fn height(&self) -> usize {
        let layout = self.puzzle.layout();
        if self.has(2) { layout.width() } else { layout.height() }
    }

    /// The index that a white cell of the puzzle has in the image. Only inner cells trade places: the outer row and the outer
    /// column, which have no white cells, stay at the top and at the left.
    fn place(&self, cell: usize) -> usize {
        let layout = self.puzzle.layout();
        let (row, column) = (cell / layout.width(), cell % layout.width());
        let row = if self.has(1) { layout.height() - row } else { row };
        let column = if self.has(0) { layout.width() - column } else { column };
        if self.has(2) { column * self.width() + row } else { row * self.width() + column }
    }

    fn contents(&self) -> Vec<Content> {
        let layout = self.puzzle.layout();
        let mut contents = vec![(1, [0; 2]); self.width() * self.height()];
        for &cell in layout.cells() {
            contents[self.place(usize::from(cell))] = WHITE;
        }
        for (run, &sum) in layout.runs().iter().zip(self.puzzle.sums()) {
            let ten_each = u8::try_from(10 * run.whites().len()).expect("a run has at most nine cells");
            let sum = if self.has(3) && sum != 0 { ten_each - sum } else { sum };
            let places = run.whites().iter().map(|&white| self.place(usize::from(layout.cells()[usize::from(white)])));
            let first = places.min().unwrap_or_default();
            let across = (run.direction as usize == 0) != self.has(2);
            let clue_at = if across { first - 1 } else { first - self.width() };
            contents[clue_at].1[usize::from(!across)] = sum;
        }
        contents
    }
}

/// The image of a puzzle under one of the sixteen symmetries, 0–15. Bit 0 exchanges left and right, bit 1 top and
/// bottom, bit 2 then rows and columns, and bit 3 replaces each digit by its complement to 10.
#[must_use]
pub fn image(puzzle: &Puzzle, image: u8) -> Puzzle {
    let of = Image { puzzle, image };
    let contents = of.contents();
    let whites: Vec<_> = contents.iter().map(|&content| content == WHITE).collect();
    match Layout::of_text(of.width(), of.height(), &whites) {
        Ok(layout) => {
            let clue = |run: &Run| contents[usize::from(run.clue_at)].1[run.direction as usize];
            let sums = layout.runs().iter().map(clue).collect();
            Puzzle::of_sums(layout, sums)
        }
        Err(fault) => unreachable!("the image of a layout is a layout: {fault}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kakuro::notation::text;

    #[test]
    fn all_images_share_one_form_and_can_be_undone() {
        let puzzle = text::parse("# # \\8 \\10\n# 3\\3 . .\n15\\ . . .\n3\\ . . #\n# # # #").unwrap();
        let form = canonical(&puzzle);
        assert_eq!(form, "5x4:######--15--03####1003....##08--......##03--....##");
        for number in 0..16 {
            let other = image(&puzzle, number);
            assert_eq!(canonical(&other), form, "{number}");
            assert!((0..16).any(|back| image(&other, back) == puzzle), "{number}");
        }
    }

    #[test]
    fn different_clue_changes_the_form() {
        let forms = ["3\\3 . .", "4\\3 . .", "3\\4 . ."]
            .map(|row| canonical(&text::parse(&format!("# # \\8 \\10\n# {row}\n15\\ . . .\n3\\ . . #")).unwrap()));
        assert!(forms[0] != forms[1] && forms[1] != forms[2] && forms[0] != forms[2]);
    }
}
