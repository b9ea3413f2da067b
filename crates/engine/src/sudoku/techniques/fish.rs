//! Basic fish (X-Wing, Swordfish, Jellyfish): N parallel lines whose places for a digit all lie in N crossing lines.

use super::{
    candidates::Candidates,
    find::{Find, Outcome, Pattern, Take, Technique},
    geometry::{Cells, FIRST_COLUMN, HOUSE_CELLS, Mask, bits, subsets},
};

/// A fish of two lines.
pub(super) const X_WING: Technique = Technique::new("X-Wing", 32);
/// A fish of three lines.
pub(super) const SWORDFISH: Technique = Technique::new("Swordfish", 38);
/// A fish of four lines.
pub(super) const JELLYFISH: Technique = Technique::new("Jellyfish", 52);

/// If two parallel lines have a digit only in the same two crossing lines, it can be removed from the rest of the
/// crossing lines, because the parallel lines need it at two of the four crossings: X-Wing.
pub(super) fn x_wing(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    fish(candidates, 2, X_WING, take)
}

/// If three parallel lines have a digit only in the same three crossing lines, it can be removed from the rest of the
/// crossing lines, because each parallel line puts it into one of them: Swordfish.
pub(super) fn swordfish(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    fish(candidates, 3, SWORDFISH, take)
}

/// If four parallel lines have a digit only in the same four crossing lines, it can be removed from the rest of the
/// crossing lines, because each parallel line puts it into one of them: Jellyfish.
pub(super) fn jellyfish(candidates: &Candidates, take: &mut Take<'_>) -> bool {
    fish(candidates, 4, JELLYFISH, take)
}

fn fish(candidates: &Candidates, size: u32, technique: Technique, take: &mut Take<'_>) -> bool {
    let (rows, columns) = (0, FIRST_COLUMN);
    fish_along(candidates, size, technique, [columns, rows], take)
        || fish_along(candidates, size, technique, [rows, columns], take)
}

/// The fish whose base lines start at house `first_base` and whose cover lines start at `first_cover`.
fn fish_along(
    candidates: &Candidates,
    size: u32,
    technique: Technique,
    [first_base, first_cover]: [usize; 2],
    take: &mut Take<'_>,
) -> bool {
    let lines_of = base_lines(candidates, size, first_base);
    let any = lines_of.iter().fold(0, |all, lines| all | lines);
    subsets(any, size).any(|base| {
        let bases = |digit: &usize| base & !lines_of[*digit] == 0;
        let mut finds = (1..10).filter(bases).filter_map(|digit| {
            let cover = bits(base).fold(0, |all, line| all | candidates.places(first_base + line)[digit]);
            if cover.count_ones() != size {
                return None;
            }
            let (in_base, in_cover) = (cells_of(first_base, base), cells_of(first_cover, cover));
            let removed = candidates.of_digit(digit) & in_cover & !in_base;
            let cells = candidates.of_digit(digit) & in_base;
            let pattern = Pattern::Fish { digit, first_base, base, first_cover, cover, cells };
            Some(Find { technique, pattern, outcome: Outcome::remove_digit(digit, removed)? })
        });
        finds.any(&mut *take)
    })
}

/// For each digit, the lines in which it has two to `size` places.
fn base_lines(candidates: &Candidates, size: u32, first_base: usize) -> [Mask; 10] {
    let mut lines_of = [0; 10];
    // With fewer than 2 × `size` lines without the digit, the others form a smaller fish, which was tried before.
    for digit in (1..10).filter(|&digit| u32::from(candidates.placed(digit)) + 2 * size <= 9) {
        let fits = |line: &usize| (2..=size).contains(&candidates.places(first_base + line)[digit].count_ones());
        lines_of[digit] = (0..9).filter(fits).map(|line| 1 << line).sum();
    }
    lines_of
}

fn cells_of(first: usize, lines: Mask) -> Cells {
    bits(lines).fold(0, |all, line| all | HOUSE_CELLS[first + line])
}
