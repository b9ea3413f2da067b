//! Handlers of `PuzzleService`.

use tokio_stream::wrappers::ReceiverStream;
use tonic::{Request, Response, Status};

use super::{
    Service,
    brought::{self, Brought, IncludeSteps},
    deadline::Deadline,
    errors::{Invalid, ServiceError},
    hint, page_token,
    parse::{Checks, Criteria},
    ratings::{self, Include},
};
use crate::{
    proto::v1::{self as pb, puzzle_service_server::PuzzleService},
    store::puzzle::PuzzleId,
};

/// What page tokens of `ListPuzzles` are bound to, beside the criteria.
const LIST: &str = "puzzles";

#[tonic::async_trait]
impl PuzzleService for Service {
    async fn generate(&self, request: Request<pb::GenerateRequest>) -> Result<Response<pb::GenerateResponse>, Status> {
        let job = self.queue_job(request.into_inner()).await?;
        Ok(Response::new(pb::GenerateResponse { job: Some(job) }))
    }

    async fn batch_generate(
        &self,
        request: Request<pb::BatchGenerateRequest>,
    ) -> Result<Response<pb::BatchGenerateResponse>, Status> {
        let jobs = self.queue_batch(request.into_inner().requests).await?;
        Ok(Response::new(pb::BatchGenerateResponse { jobs }))
    }

    async fn get_puzzle(
        &self,
        request: Request<pb::GetPuzzleRequest>,
    ) -> Result<Response<pb::GetPuzzleResponse>, Status> {
        let has_deadline = request.extensions().get::<Deadline>().is_some();
        let puzzle = self.puzzle_for(&request.into_inner(), has_deadline).await?;
        Ok(Response::new(pb::GetPuzzleResponse { puzzle: Some(puzzle) }))
    }

    async fn batch_get_puzzles(
        &self,
        request: Request<pb::BatchGetPuzzlesRequest>,
    ) -> Result<Response<pb::BatchGetPuzzlesResponse>, Status> {
        Ok(Response::new(self.puzzles_for(request.into_inner()).await?))
    }

    type ExportPuzzlesStream = ReceiverStream<Result<pb::ExportPuzzlesResponse, Status>>;

    async fn export_puzzles(
        &self,
        request: Request<pb::ExportPuzzlesRequest>,
    ) -> Result<Response<Self::ExportPuzzlesStream>, Status> {
        let deadline = request.extensions().get::<Deadline>().copied();
        Ok(Response::new(self.export(&request.into_inner(), deadline)?))
    }

    async fn get_daily_puzzle(
        &self,
        request: Request<pb::GetDailyPuzzleRequest>,
    ) -> Result<Response<pb::GetDailyPuzzleResponse>, Status> {
        Ok(Response::new(self.puzzle_of_the_day(&request.into_inner()).await?))
    }

    async fn list_puzzles(
        &self,
        request: Request<pb::ListPuzzlesRequest>,
    ) -> Result<Response<pb::ListPuzzlesResponse>, Status> {
        Ok(Response::new(self.page_of_puzzles(request.into_inner()).await?))
    }

    async fn list_deliveries(
        &self,
        request: Request<pb::ListDeliveriesRequest>,
    ) -> Result<Response<pb::ListDeliveriesResponse>, Status> {
        Ok(Response::new(self.page_of_deliveries(request.into_inner()).await?))
    }

    async fn forget_audience(
        &self,
        request: Request<pb::ForgetAudienceRequest>,
    ) -> Result<Response<pb::ForgetAudienceResponse>, Status> {
        Ok(Response::new(self.forget(request.into_inner()).await?))
    }

    async fn withdraw_puzzle(
        &self,
        request: Request<pb::WithdrawPuzzleRequest>,
    ) -> Result<Response<pb::WithdrawPuzzleResponse>, Status> {
        Ok(Response::new(self.withdraw(request.into_inner()).await?))
    }

    async fn solve(&self, request: Request<pb::SolveRequest>) -> Result<Response<pb::SolveResponse>, Status> {
        let pb::SolveRequest { kind, variant, text, include_steps, include_open_steps } = request.into_inner();
        if include_open_steps && !include_steps {
            return Err(Invalid::one("include_open_steps", "true without include_steps".to_owned()).into());
        }
        let include = IncludeSteps { steps: include_steps, open_steps: include_open_steps };
        let brought = self.brought(kind, &variant, &text)?;
        Ok(Response::new(self.compute.run(move |cancel| brought::solve(&brought, include, cancel)).await??))
    }

    async fn rate(&self, request: Request<pb::RateRequest>) -> Result<Response<pb::RateResponse>, Status> {
        let pb::RateRequest { kind, variant, text } = request.into_inner();
        let brought = self.brought(kind, &variant, &text)?;
        Ok(Response::new(self.compute.run(move |cancel| brought::rate(&brought, cancel)).await??))
    }

    async fn validate(&self, request: Request<pb::ValidateRequest>) -> Result<Response<pb::ValidateResponse>, Status> {
        let pb::ValidateRequest { kind, variant, text } = request.into_inner();
        let brought = self.brought(kind, &variant, &text)?;
        Ok(Response::new(self.compute.run(move |cancel| brought::validate(&brought, cancel)).await??))
    }

    async fn hint(&self, request: Request<pb::HintRequest>) -> Result<Response<pb::HintResponse>, Status> {
        let pb::HintRequest { kind, variant, text, board } = request.into_inner();
        let mut checks = Checks::default();
        checks.text_len("board", &board, &self.limits);
        checks.done()?;
        let brought = self.brought(kind, &variant, &text)?;
        Ok(Response::new(self.compute.run(move |cancel| hint::hint(&brought, &board, cancel)).await??))
    }
}

impl Service {
    async fn page_of_puzzles(&self, request: pb::ListPuzzlesRequest) -> Result<pb::ListPuzzlesResponse, ServiceError> {
        let mut checks = Checks::default();
        let shelves = checks.shelves(Criteria {
            kind: request.kind,
            variant: &request.variant,
            symmetry: request.symmetry,
            level: request.level,
            min_rating: request.min_rating,
            max_rating: request.max_rating,
        });
        let size = checks.page_size(request.page_size, &self.limits);
        let criteria = pb::ListPuzzlesRequest {
            page_size: 0,
            page_token: String::new(),
            include_solutions: false,
            include_ratings: false,
            ..request.clone()
        };
        let after = checks.page_token(LIST, &criteria, &request.page_token);
        checks.done()?;

        // One more than the page holds tells whether there is a next one.
        let mut found = self.stock.puzzles(&shelves, after.map(PuzzleId), size + 1).await?;
        let has_next = found.len() > size as usize;
        found.truncate(size as usize);
        let last = found.last().filter(|_| has_next).map(|last| page_token::write(LIST, &criteria, last.id.0));
        let include = Include { solutions: request.include_solutions, ratings: request.include_ratings };
        Ok(pb::ListPuzzlesResponse {
            puzzles: ratings::shown(&self.stock, found, include).await?,
            next_page_token: last.unwrap_or_default(),
        })
    }

    /// The puzzle that a caller brings, read and found to be of its form.
    fn brought(&self, kind: i32, variant: &str, text: &str) -> Result<Brought, ServiceError> {
        let mut checks = Checks::default();
        checks.text_len("text", text, &self.limits);
        let kind = checks.required_kind(kind);
        let variant = kind.map(|kind| checks.text_variant(kind, variant));
        let (kind, variant) = checks.done_with(kind.zip(variant))?;
        let mut checks = Checks::default();
        let text = checks.text(kind, &variant, text);
        let text = checks.done_with(text)?;
        Brought::of(kind, variant, text, self.limits.rating_nodes_max)
    }
}
