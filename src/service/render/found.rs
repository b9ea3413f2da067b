//! Converts the stored puzzles that match a printed text to messages of the API, each with a sentence.

use super::board::Board;
use puzzled_api::v1 as pb;
use puzzled_store::{
    deliveries::find::{Difference, Match},
    ids::PuzzleId,
};

/// The match of a puzzle that is alike to the text. `title` is the puzzle in words.
pub(crate) fn alike_message(id: PuzzleId, title: &str, found: Match) -> pb::PuzzleMatch {
    let (match_type, message) = match found {
        Match::Same => (pb::MatchType::Same, title.to_owned()),
        Match::Isomorph => (pb::MatchType::Isomorph, format!("an isomorph of {title}")),
        Match::SameSolution => {
            (pb::MatchType::SameSolution, format!("another puzzle with the solution of {title}, up to symmetry"))
        }
    };
    pb::PuzzleMatch { puzzle_id: id.to_string(), r#type: match_type.into(), message, differences: Vec::new() }
}

/// The match of a puzzle that differs from the text in a few cells, or in none. `title` is the puzzle in words.
pub(crate) fn near_message(board: Board, id: PuzzleId, title: &str, differences: Vec<Difference>) -> pb::PuzzleMatch {
    if differences.is_empty() {
        return alike_message(id, title, Match::Same);
    }
    let difference = |Difference { cell, printed, stored }| {
        let pb::Cell { row, column, .. } = board.cell(cell, 0);
        pb::CellDifference { row, column, printed, stored }
    };
    let differences: Vec<_> = differences.into_iter().map(difference).collect();
    let named = differences.iter().map(|pb::CellDifference { row, column, printed, stored }| {
        format!("{} instead of {} at r{row}c{column}", in_words(printed), in_words(stored))
    });
    let message = format!("{title} with {}", named.collect::<Vec<_>>().join(", "));
    pb::PuzzleMatch { puzzle_id: id.to_string(), r#type: pb::MatchType::Near.into(), message, differences }
}

/// A cell as a text writes it.
fn in_words(cell: &str) -> &str {
    if cell == "." { "an empty cell" } else { cell }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differing_cells_are_named_with_both_values() {
        let difference = |cell, printed: &str, stored: &str| Difference {
            cell,
            printed: printed.to_owned(),
            stored: stored.to_owned(),
        };
        let differences = vec![difference(42, "3", "8"), difference(80, ".", "1")];
        let found = near_message(Board::of(9), PuzzleId(123), "puzzle-123 (daily of 2026-11-20)", differences);
        assert_eq!(
            found.message,
            "puzzle-123 (daily of 2026-11-20) with 3 instead of 8 at r5c7, an empty cell instead of 1 at r9c9"
        );
        let cells: Vec<_> = found.differences.iter().map(|it| (it.row, it.column, &*it.printed, &*it.stored)).collect();
        assert_eq!(cells, [(5, 7, "3", "8"), (9, 9, ".", "1")]);
    }
}
