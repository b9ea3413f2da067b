//! The techniques of binairo. Each places a digit, because the other one would break a rule.

use super::rules::{Line, lines};
use crate::grid::{
    cells::{Cells, Digits, Houses},
    clues::{By, Exclusion, ExtraRule},
    find::{Find, Take, Technique},
    position::Position,
    techniques::REFUTATIONS,
};

/// Takes a line, one of its cells as a mask, and a digit, 0 or 1. Returns the cells that show why that cell cannot hold the
/// digit. `None` if another technique shows it.
pub(super) type Pattern = fn(&Line, u16, usize) -> Option<u16>;

/// Two equal neighbors beside the cell.
pub(super) fn pair(line: &Line, cell: u16, digit: usize) -> Option<u16> {
    [cell << 1 | cell << 2, cell >> 1 | cell >> 2].into_iter().find_map(|pair| two(line, pair, digit))
}

/// Two equal cells around the cell.
pub(super) fn gap(line: &Line, cell: u16, digit: usize) -> Option<u16> {
    two(line, cell << 1 | cell >> 1, digit)
}

fn two(line: &Line, cells: u16, digit: usize) -> Option<u16> {
    (cells.count_ones() == 2 && cells & !line.held[digit] == 0).then_some(cells)
}

/// A rule, the pattern that shows why it excludes a digit, and whether the signs of the line are part of the argument.
pub(super) type Rule = (ExtraRule, Pattern, bool);

/// If a rule excludes a digit from a cell, the cell holds the other one.
pub(super) fn place(rule: Rule, technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let (rule, pattern, has_signs) = rule;
    let (lines, mut exclusions): (Vec<_>, _) = (lines(position).collect(), Vec::new());
    if rule(position, &mut exclusions).is_err() {
        return;
    }
    for Exclusion { by, digit, cells } in exclusions {
        let (line, cover_houses) = match by {
            By::House(house) => (&lines[house], Houses::NONE),
            By::Lines([line, full]) => (&lines[line], Houses::only(full)),
            By::Sign(_) => continue,
        };
        let (houses, digits) = (Houses::only(line.house), Digits::only(digit));
        let signs = if has_signs { line.signs(&position.rules().signs).0 } else { Cells::NONE };
        for cell in cells.and(position.places(other(digit))).iter() {
            let Some(pattern) = pattern(line, line.mask(cell), usize::from(digit) - 1) else { continue };
            let (cells, placed) = (line.cells(pattern), Some((cell, other(digit))));
            if take(Find { cells, digits, houses, cover_houses, signs, placed, ..Find::of(technique) }) {
                return;
            }
        }
    }
}

/// If a digit of a cell is refuted, the step places the other digit at once: Refutation.
pub(super) fn refutation(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    (REFUTATIONS.find)(technique, position, &mut |find| {
        let placed = find.cells.single().zip(find.digits.single()).map(|(cell, digit)| (cell, other(digit)));
        take(Find { placed, ..find })
    });
}

/// The other of the two digits, which are 1 and 2 as data.
fn other(digit: u8) -> u8 {
    3 - digit
}
