//! `GetPuzzle`: gets one puzzle by ID, at random, or for an audience.

use super::{
    draw::{DrawRequest, Drawn, Fitting, SeatTaken},
    view::{self, Shown},
};
use crate::{
    calls::{Asked, Cancel, Invalid, Reply, Service, ServiceError},
    puzzles::{
        puzzle_message::{puzzle_message, ratings_of},
        views::{kind_with_views, without_views},
    },
    wire::Parser,
};
use puzzled_api::{criteria::StatesCriteria as _, puzzle::Include, set_fields, v1 as pb};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::{registry, shared::names::quoted};
use puzzled_store::{
    jobs::job::NamedRequest,
    stock::{filter::ShelfFilter, stated::ANY_VARIANT},
};

impl Service {
    pub(crate) async fn get_puzzle(&self, request: &Asked<pb::GetPuzzleRequest>) -> Reply<pb::GetPuzzleResponse> {
        let seat = SeatTaken::of(request.get_ref().scramble_seed);
        let draw = self.draw_request(request, "GetPuzzle", seat)?;
        let puzzle = self.puzzle_for(request.get_ref(), &draw).await?;
        Ok(pb::GetPuzzleResponse { puzzle: Some(puzzle) })
    }

    /// The puzzle for a request. All checks of the request run before the draw.
    pub(super) async fn puzzle_for(
        &self,
        request: &pb::GetPuzzleRequest,
        draw: &DrawRequest,
    ) -> Result<pb::Puzzle, ServiceError> {
        let (drawn, shelves) = if request.id.is_empty() {
            let fitting = fitting(request)?;
            (self.one_of(&fitting, draw).await?, fitting.shelves)
        } else {
            (self.known(by_id(request)?, draw).await?, ShelfFilter::ANY)
        };
        let include = Include {
            solutions: request.include_solution,
            ratings: request.include_ratings,
            drawing: request.include_drawing,
            structure: request.include_structure,
            links: request.include_links,
            record: request.include_record,
        };
        self.shown(drawn, request.scramble_seed, shelves, draw, include).await
    }

    async fn known(&self, id: PuzzleId, draw: &DrawRequest) -> Result<Drawn, ServiceError> {
        let seat = self.seat_for(draw).await?;
        Ok(Drawn { puzzle: self.visible(id, &draw.caller).await?, seat })
    }

    /// The message for a puzzle that was drawn, as a view if the request has a seed. `shelves` are those that a view must fit.
    pub(super) async fn shown(
        &self,
        Drawn { puzzle, seat }: Drawn,
        scramble_seed: Option<u64>,
        shelves: ShelfFilter,
        draw: &DrawRequest,
        include: Include,
    ) -> Result<pb::Puzzle, ServiceError> {
        let Shown { puzzle, seed } = match (scramble_seed, seat) {
            (Some(seed), Some(seat)) => {
                let kind = kind_with_views(&puzzle.shelf, seed)?;
                let view = move |cancel: &Cancel| view::view(kind, puzzle, seed, &shelves, cancel);
                seat.run(draw.meter.clone().timed(view)).await??
            }
            _ => Shown { puzzle, seed: None },
        };
        let ratings = ratings_of(&self.stock, std::slice::from_ref(&puzzle), include).await?;
        let ratings = ratings.into_values().flatten().collect();
        Ok(pb::Puzzle { ratings, scrambled: seed.is_some(), scramble_seed: seed, ..puzzle_message(puzzle, include)? })
    }
}

/// The criteria of a request without an ID.
fn fitting(request: &pb::GetPuzzleRequest) -> Result<Fitting<'_>, ServiceError> {
    let mut parser = Parser::default();
    let criteria = parser.criteria(&request.stated());
    let shelves = parser.fitting(&criteria);
    if request.kind == i32::from(pb::Kind::Unspecified) {
        parser.refuse("kind", "required unless id is set".to_owned());
    }
    let kind = criteria.kind.as_deref().and_then(registry::kind);
    let variant = criteria.variant.as_deref().filter(|name| *name != ANY_VARIANT);
    if let (Some(kind), Some(seed)) = (kind, request.scramble_seed)
        && !kind.has_views(&kind.variant_name(variant.unwrap_or(kind.default_variant())))
    {
        parser.refuse("scramble_seed", without_views(kind.name(), seed));
    }
    parser.name("audience", &request.audience);
    parser.name("request_id", &request.request_id);
    if request.audience.is_empty() && !request.request_id.is_empty() {
        parser.refuse("request_id", format!("{} is set without an audience; set both", quoted(&request.request_id)));
    }
    if request.audience.is_empty() && request.exclusive {
        parser.refuse("exclusive", "true without an audience; set both".to_owned());
    }
    let shelves = parser.done_with(shelves)?;
    let mut fitting = Fitting {
        criteria,
        shelves,
        audience: &request.audience,
        name: None,
        day: None,
        wait: request.wait,
        with_record: request.include_record,
        enqueue_if_short: request.enqueue_if_short,
        exclusive: request.exclusive,
    };
    if !request.request_id.is_empty() {
        // `fields` omits the audience: the store looks a name up per audience.
        let (request_id, fields) = (request.request_id.clone(), fitting.fields());
        fitting.name = Some(NamedRequest { request_id, fields });
    }
    Ok(fitting)
}

/// The ID of a request. A malformed one gives [`ServiceError::PuzzleNotFound`], like an unknown one.
fn by_id(request: &pb::GetPuzzleRequest) -> Result<PuzzleId, ServiceError> {
    if let Some(field) = field_without_id(request) {
        return Err(Invalid::one("id", format!("{} is set together with {field}; set only one", quoted(&request.id))));
    }
    request.id.parse().map_err(|()| ServiceError::PuzzleNotFound(request.id.clone()))
}

/// The name of a field that is set and not allowed together with an ID. A kind is named only if there is nothing else.
fn field_without_id(request: &pb::GetPuzzleRequest) -> Option<String> {
    let rest = pb::GetPuzzleRequest {
        id: String::new(),
        scramble_seed: None,
        include_solution: false,
        include_ratings: false,
        include_drawing: false,
        include_structure: false,
        include_links: false,
        include_record: false,
        ..request.clone()
    };
    let names = (rest != pb::GetPuzzleRequest::default()).then(|| set_fields(&rest).into_keys());
    names.into_iter().flatten().min_by_key(|name| name == "kind")
}
