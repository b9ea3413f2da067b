//! Signs between cells: the digits that a sign excludes from a cell, and the digit that it leaves.

use super::sentences::{cell_name, digit_list, edge_name, so};
use crate::{
    grid::{
        cells::{Cells, Digits},
        clues::{self, By, relations::left},
        find::{Find, Take, Technique},
        position::Position,
    },
    shared::step::{Cell, Step},
};

/// If a candidate of one cell of a sign has no partner among the digits that the other cell may hold, it can be
/// removed: Sign.
pub(crate) fn signs(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    let (signs, mut exclusions) = (&position.rules().signs, Vec::new());
    if clues::relations::signs(position, &mut exclusions).is_err() {
        return;
    }
    for of_cell in exclusions.chunk_by(|one, next| (one.by, one.cells) == (next.by, next.cells)) {
        let By::Sign(sign) = of_cell[0].by else { continue };
        let cells = Cells::from_iter(signs[sign].cells);
        let other = cells.without(of_cell[0].cells).first();
        let taken = take(Find {
            cells,
            digits: other.map_or(Digits::NONE, |other| left(position, other)),
            signs: Cells::from_iter(Cell::try_from(sign).ok()),
            removed: of_cell.iter().map(|exclusion| (exclusion.digit, exclusion.cells)).collect(),
            ..Find::of(technique)
        });
        if taken {
            return;
        }
    }
}

/// If a sign leaves a cell one candidate, the cell holds it: Direct Sign. A person sees this without pencil marks, so
/// the step only places the digit.
pub(crate) fn direct_signs(technique: &Technique, position: &Position<'_>, take: &mut Take<'_>) {
    signs(technique, position, &mut |find| {
        let removed: Digits = find.removed.iter().map(|(digit, _)| *digit).collect();
        let Some(cell) = find.removed.first().and_then(|(_, cells)| cells.first()) else { return false };
        let last = position.candidates(cell).without(removed).single();
        last.is_some_and(|digit| take(Find { placed: Some((cell, digit)), removed: Vec::new(), ..find }))
    });
}

/// Says what the candidates of one cell of a sign mean for the other cell.
pub(crate) fn sentence(step: &Step) -> String {
    let Some(edge) = step.houses.last() else { return String::new() };
    let target = step.placed.iter().chain(&step.removed).map(|(cell, _)| cell).next();
    let Some(other) = edge.cells.iter().find(|cell| Some(*cell) != target) else { return String::new() };
    let is_first = edge.cells.first() == Some(other);
    let digits = match (edge.operator, &step.digits[..]) {
        (_, [digit]) => digit_list(&[*digit], "or"),
        (Some("<"), [.., largest]) if !is_first => format!("at most {}", digit_list(&[*largest], "or")),
        (Some(">"), [.., largest]) if is_first => format!("at most {}", digit_list(&[*largest], "or")),
        (Some("<" | ">"), [least, ..]) => format!("at least {}", digit_list(&[*least], "or")),
        (_, digits) => digit_list(digits, "or"),
    };
    let argument = format!("{}, and {} is {digits}", edge_name(step, edge), cell_name(step, *other));
    if let Some(&(cell, digit)) = step.placed.first() {
        let (cell, digit) = (cell_name(step, cell), digit_list(&[digit], "or"));
        return so(step, &format!("{argument}, which leaves {cell} only {digit}"));
    }
    let removed: Vec<_> = step.removed.iter().map(|(_, digit)| *digit).collect();
    let cell = step.removed.first().map(|&(cell, _)| cell_name(step, cell)).unwrap_or_default();
    format!("{argument}, so {} can be removed from {cell}.", digit_list(&removed, "and"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shared::step::{House, HouseType};

    #[test]
    fn sentence_says_the_bound_of_the_other_cell() {
        let check = |operator, digits: &[u8], target: Cell, sentence_of: &str| {
            let house_type = HouseType::Edge;
            let edge = House { house_type, number: 0, cells: vec![0, 1], sum: None, operator: Some(operator) };
            let removed = vec![(target, 4), (target, 5)];
            let step = Step { columns: 5, digits: digits.to_vec(), houses: vec![edge], removed, ..Step::default() };
            assert_eq!(sentence(&step), sentence_of);
        };
        check("<", &[2, 4], 0, "r1c1 < r1c2, and r1c2 is at most 4, so 4 and 5 can be removed from r1c1.");
        check("<", &[3, 4], 1, "r1c1 < r1c2, and r1c1 is at least 3, so 4 and 5 can be removed from r1c2.");
        check(">", &[3, 4], 0, "r1c1 > r1c2, and r1c2 is at least 3, so 4 and 5 can be removed from r1c1.");
        check(">", &[3, 4], 1, "r1c1 > r1c2, and r1c1 is at most 4, so 4 and 5 can be removed from r1c2.");
        check("=", &[1, 2], 0, "r1c1 = r1c2, and r1c2 is 1 or 2, so 4 and 5 can be removed from r1c1.");
        check("x", &[4], 1, "r1c1 x r1c2, and r1c1 is 4, so 4 and 5 can be removed from r1c2.");
    }
}
