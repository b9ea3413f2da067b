//! `ListPuzzles`: lists stored puzzles by ID.

use super::listed::Listed;
use crate::{
    calls::{Asked, Reply, Service, ServiceError},
    puzzles::puzzle_message::puzzle_messages,
    settings::Limits,
    wire::{Page, Parser},
};
use puzzled_api::{criteria::StatesCriteria as _, puzzle::Include, v1 as pb};
use puzzled_base::ids::PuzzleId;

impl Service {
    pub(crate) async fn list_puzzles(&self, request: &Asked<pb::ListPuzzlesRequest>) -> Reply<pb::ListPuzzlesResponse> {
        let request = request.get_ref();
        let (listed, page) = parse(request, &self.settings().limits)?;
        let read =
            listed.read(self.stock.store(), page.after.map(PuzzleId), page.reads(), request.include_record).await?;
        let (puzzles, next_page_token) = page.cut(read, |puzzle| puzzle.id.0);
        let include = Include {
            solutions: request.include_solutions,
            ratings: request.include_ratings,
            drawing: request.include_drawing,
            structure: request.include_structure,
            links: request.include_links,
            record: request.include_record,
        };
        let puzzles = puzzle_messages(&self.stock, puzzles, include).await?;
        Ok(pb::ListPuzzlesResponse { puzzles, next_page_token })
    }
}

/// The puzzles and the page of a request.
fn parse(
    request: &pb::ListPuzzlesRequest,
    limits: &Limits,
) -> Result<(Listed, Page<pb::ListPuzzlesRequest>), ServiceError> {
    let mut parser = Parser::default();
    let shelves = parser.shelves(&request.stated());
    let origin = parser.origin(&request.job_id, &request.import_id);
    let criteria = pb::ListPuzzlesRequest {
        page_size: 0,
        page_token: String::new(),
        include_solutions: false,
        include_ratings: false,
        include_drawing: false,
        include_structure: false,
        include_links: false,
        include_record: false,
        ..request.clone()
    };
    let is_shown = request.include_drawing || request.include_structure;
    let size_max = if is_shown { limits.max_page_size_drawn } else { limits.max_page_size };
    let page = parser.page("puzzles", criteria, (request.page_size, &request.page_token), limits).at_most(size_max);
    let shelves = parser.done_with(shelves)?;
    Ok((Listed { shelves, origin }, page))
}
