//! `FindPuzzle`: finds the stored puzzle that is alike to a printed text. If there is none, compares the text with the newest
//! puzzles of an audience or of daily series.

use super::{asked::PuzzleText, caller_puzzle::CallerPuzzle};
use crate::{
    calls::{Asked, Cancel, Class, Reply, Service, ServiceError},
    settings::Limits,
    wire::Parser,
};
use puzzled_api::{board::Board, v1 as pb};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::shared::{
    budget::OutOfBudget,
    kind::PuzzleKind,
    names::quoted,
    text::{Region, RegionType, Verdict},
};
use puzzled_store::{
    Store,
    deliveries::find::{COMPARED_MAX, Difference, Match, Nearest, Source, differences},
    jobs::slice::Likeness,
};

/// The number of puzzles that one read compares.
const PAGE: u32 = 1_000;

impl Service {
    /// The stored puzzle that is alike to a text, or those that differ from the text in a few cells.
    pub(crate) async fn find_puzzle(&self, request: &Asked<pb::FindPuzzleRequest>) -> Reply<pb::FindPuzzleResponse> {
        let settings = self.settings();
        let (text, source) = parse(request.get_ref(), &settings.limits)?;
        let printed = CallerPuzzle::of(text, &settings.limits)?;
        let work = move |cancel: &Cancel| likeness(&printed, cancel).map(|likeness| (printed, likeness));
        let (printed, likeness) = self.compute(Class::Short, request, work).await??;
        let store = self.stock.store();
        if let Source::Series(Some(name)) = &source
            && store.series(name).await?.is_none()
        {
            return Err(ServiceError::SeriesNotFound(name.clone()));
        }
        if let Some(likeness) = likeness
            && let Some(puzzle) = store.alike(&likeness).await?
        {
            let found = Match::of(&puzzle, &printed.text, &likeness);
            let title = self.title(puzzle.id).await?;
            return Ok(pb::FindPuzzleResponse { matches: vec![alike_message(puzzle.id, &title, found)] });
        }
        let mut matches = Vec::new();
        for (id, differences) in nearest(store, &printed, &source).await?.into_puzzles() {
            matches.push(near_message(printed.board, id, &self.title(id).await?, differences));
        }
        Ok(pb::FindPuzzleResponse { matches })
    }

    /// A puzzle in words: its ID, and the day of a series whose puzzle it is.
    async fn title(&self, id: PuzzleId) -> Result<String, ServiceError> {
        let store = self.stock.store();
        let Some(day) = store.day_of(id).await? else { return Ok(id.to_string()) };
        let all = store.all_series().await?;
        let series = all.iter().find(|series| series.id == day.series_id).map_or("a series", |series| &series.name);
        Ok(format!("{id} ({series} of {})", day.date))
    }
}

/// The printed puzzle, and the puzzles that it is compared with.
fn parse(request: &pb::FindPuzzleRequest, limits: &Limits) -> Result<(PuzzleText, Source), ServiceError> {
    let mut parser = Parser::default();
    parser.name("audience", &request.audience);
    parser.name("series", &request.series);
    let source = match (request.audience.as_str(), request.series.as_str()) {
        ("", "") => Source::Series(None),
        ("", series) => Source::Series(Some(series.to_owned())),
        (audience, "") => Source::Audience(audience.to_owned()),
        (_, series) => {
            parser.refuse("series", format!("{} is set together with an audience; set only one", quoted(series)));
            Source::Series(None)
        }
    };
    let puzzle = parser.puzzle(request.kind, &request.variant, &request.text, limits)?;
    Ok((puzzle, source))
}

/// How the stock recognizes the puzzle. `None` unless the search proves that the text has exactly one solution, because every
/// stored puzzle has exactly one.
fn likeness(printed: &CallerPuzzle, cancel: &Cancel) -> Result<Option<Likeness>, ServiceError> {
    match printed.verdict(cancel)? {
        Verdict::Unique { solution } => printed.likeness(&solution).map(Some),
        Verdict::NoSolution
        | Verdict::Several { .. }
        | Verdict::Contradiction { .. }
        | Verdict::Unknown(OutOfBudget::Nodes) => Ok(None),
        Verdict::SolversDisagree(disagreement) => Err(ServiceError::SolversDisagree(disagreement)),
        Verdict::Unknown(OutOfBudget::Cancelled) => Err(ServiceError::CallerGone),
    }
}

/// Compares a text, cell by cell, with the newest puzzles of a source that have the same kind, size, regions, and signs.
async fn nearest(store: &dyn Store, printed: &CallerPuzzle, source: &Source) -> Result<Nearest, ServiceError> {
    let kind = printed.kind;
    let base = kind.base(&printed.variant);
    let cells = kind.cells(&printed.text);
    let areas = areas(kind, &printed.variant, &printed.text);
    let (mut nearest, mut before) = (Nearest::default(), None);
    for _ in 0..COMPARED_MAX / PAGE {
        let page = store.newest(source, (kind.name(), &base), before, PAGE).await?;
        before = page.last().map(|listed| listed.number);
        for (id, text) in page.into_iter().filter_map(|listed| listed.puzzle) {
            if let Some(differences) = differences(&cells, &kind.cells(&text))
                && self::areas(kind, &printed.variant, &text) == areas
            {
                nearest.add(id, differences);
            }
        }
        if before.is_none() {
            break;
        }
    }
    Ok(nearest)
}

/// The groups of a text that belong to no cell: boxes, regions, cages, and signs. The clues of runs belong to cells.
fn areas(kind: &dyn PuzzleKind, variant: &str, text: &str) -> Vec<Region> {
    let groups = kind.regions(variant, text).unwrap_or_default();
    groups.into_iter().filter(|group| group.region_type != RegionType::Run).collect()
}

/// The match of a puzzle that is alike to the text. `title` is the puzzle in words.
fn alike_message(id: PuzzleId, title: &str, found: Match) -> pb::PuzzleMatch {
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
fn near_message(board: Board, id: PuzzleId, title: &str, differences: Vec<Difference>) -> pb::PuzzleMatch {
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
