//! Handlers of `PuzzleService`: generate, get, list, find, export, withdraw, and import puzzles, list and record deliveries, forget
//! audiences, and solve, rate, validate, draw, and hint.

use std::sync::Arc;

use tonic::Request;

use super::{
    Reply,
    caller_puzzle::{self, CallerPuzzle},
    draw_request::SeatTaken,
    ratings,
};
use crate::calls::limits::compute::Cancel;
use crate::{
    calls::{errors::ServiceError, limits::compute::Class, open::actor_of, service::Service},
    service::{
        parse::{self, AskedPuzzle},
        render::{
            self,
            puzzle::{Include, puzzle_message},
        },
    },
};
use puzzled_api::v1 as pb;
use puzzled_engine::shared::text::board::PlayerBoard;
use puzzled_store::{
    deliveries::delivery::{DeliveryId, Forgotten},
    ids::PuzzleId,
};

impl Service {
    pub(crate) async fn generate(&self, request: &Request<pb::GenerateRequest>) -> Reply<pb::GenerateResponse> {
        let by = Arc::new(actor_of(request, "Generate")?);
        let job = self.queue_job(request.get_ref().clone(), by).await?;
        Ok(pb::GenerateResponse { job: Some(job) })
    }

    pub(crate) async fn batch_generate(
        &self,
        request: &Request<pb::BatchGenerateRequest>,
    ) -> Reply<pb::BatchGenerateResponse> {
        let by = Arc::new(actor_of(request, "BatchGenerate")?);
        let jobs = self.queue_batch(request.get_ref().clone().requests, &by).await?;
        Ok(pb::BatchGenerateResponse { jobs })
    }

    pub(crate) async fn get_puzzle(&self, request: &Request<pb::GetPuzzleRequest>) -> Reply<pb::GetPuzzleResponse> {
        let seat = if request.get_ref().scramble_seed.is_some() { SeatTaken::AtOnce } else { SeatTaken::Never };
        let draw = self.draw_request(request, "GetPuzzle", seat)?;
        let puzzle = self.puzzle_for(request.get_ref(), &draw).await?;
        Ok(pb::GetPuzzleResponse { puzzle: Some(puzzle) })
    }

    pub(crate) async fn batch_get_puzzles(
        &self,
        request: &Request<pb::BatchGetPuzzlesRequest>,
    ) -> Reply<pb::BatchGetPuzzlesResponse> {
        let draw = self.draw_request(request, "BatchGetPuzzles", SeatTaken::Never)?;
        self.puzzles_for(request.get_ref(), draw).await
    }

    pub(crate) async fn get_daily_puzzle(
        &self,
        request: &Request<pb::GetDailyPuzzleRequest>,
    ) -> Reply<pb::GetDailyPuzzleResponse> {
        let seat = if request.get_ref().scramble_seed.is_some() { SeatTaken::AtOnce } else { SeatTaken::Never };
        let draw = self.draw_request(request, "GetDailyPuzzle", seat)?;
        self.daily(request.get_ref(), &draw).await
    }

    pub(crate) async fn list_puzzles(
        &self,
        request: &Request<pb::ListPuzzlesRequest>,
    ) -> Reply<pb::ListPuzzlesResponse> {
        let request = request.get_ref();
        let (listed, page) = parse::puzzles(request, &self.settings().limits)?;
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
        let puzzles = ratings::shown(&self.stock, puzzles, include).await?;
        Ok(pb::ListPuzzlesResponse { puzzles, next_page_token })
    }

    pub(crate) async fn list_deliveries(
        &self,
        request: &Request<pb::ListDeliveriesRequest>,
    ) -> Reply<pb::ListDeliveriesResponse> {
        let request = request.get_ref();
        let page = parse::deliveries(request, &self.settings().limits)?;
        let before = page.after.map(DeliveryId);
        let read = self.stock.store().deliveries(&request.audience, before, page.reads()).await;
        let (deliveries, next_page_token) = page.cut(read?, |delivery| delivery.id.0);
        let deliveries = deliveries.into_iter().map(render::delivery).collect();
        Ok(pb::ListDeliveriesResponse { deliveries, next_page_token })
    }

    pub(crate) async fn forget_audience(
        &self,
        request: &Request<pb::ForgetAudienceRequest>,
    ) -> Reply<pb::ForgetAudienceResponse> {
        let by = actor_of(request, "ForgetAudience")?;
        let audience = parse::audience(request.get_ref().clone().audience)?;
        let Forgotten { deliveries, withdrawn, cancelled } = self.stock.store().forget_audience(&audience, &by).await?;
        // The name of an audience may identify a person, so it is not logged.
        tracing::info!(deliveries, withdrawn, cancelled, "audience forgotten");
        Ok(pb::ForgetAudienceResponse { forgotten: deliveries, withdrawn, cancelled })
    }

    pub(crate) async fn withdraw_puzzle(
        &self,
        request: &Request<pb::WithdrawPuzzleRequest>,
    ) -> Reply<pb::WithdrawPuzzleResponse> {
        let by = actor_of(request, "WithdrawPuzzle")?;
        let request = request.get_ref();
        let id = parse::withdrawal(request)?;
        let withdrawn = self.stock.store().withdraw(id, &request.reason, &by).await?;
        let puzzle = withdrawn.ok_or(ServiceError::PuzzleNotFound(request.id.clone()))?;
        tracing::info!(puzzle = %puzzle.id, reason = request.reason, "puzzle withdrawn");
        let include = Include { record: request.include_record, ..Include::default() };
        let puzzle = Some(puzzle_message(puzzle, include)?);
        Ok(pb::WithdrawPuzzleResponse { puzzle })
    }

    pub(crate) async fn withdraw_puzzles(
        &self,
        request: &Request<pb::WithdrawPuzzlesRequest>,
    ) -> Reply<pb::WithdrawPuzzlesResponse> {
        let by = actor_of(request, "WithdrawPuzzles")?;
        let request = request.get_ref();
        let withdrawal = parse::withdrawals(request)?;
        let done = self.stock.withdraw_many(&withdrawal, request.dry_run, &by).await?;
        if !request.dry_run && done.changed > 0 {
            let (count, forgotten) = (done.changed, done.forgotten);
            tracing::info!(count, forgotten, remaining = done.left, reason = request.reason, "puzzles withdrawn");
        }
        Ok(pb::WithdrawPuzzlesResponse {
            changed: done.changed,
            forgotten: done.forgotten,
            ids: done.ids.iter().map(ToString::to_string).collect(),
            remaining: done.left,
            of_open_jobs: done.of_open_jobs,
        })
    }

    pub(crate) async fn release_puzzles(
        &self,
        request: &Request<pb::ReleasePuzzlesRequest>,
    ) -> Reply<pb::ReleasePuzzlesResponse> {
        let by = actor_of(request, "ReleasePuzzles")?;
        let request = request.get_ref();
        let release = parse::release(request)?;
        let done = self.stock.release(&release, request.dry_run, &by).await?;
        if !request.dry_run && done.released > 0 {
            tracing::info!(count = done.released, remaining = done.left, reason = release.reason, "puzzles released");
        }
        Ok(pb::ReleasePuzzlesResponse {
            released: done.released,
            ids: done.ids.iter().map(ToString::to_string).collect(),
            remaining: done.left,
            kept: done.kept,
        })
    }

    pub(crate) async fn solve(&self, request: &Request<pb::SolveRequest>) -> Reply<pb::SolveResponse> {
        let settings = self.settings();
        let (puzzle, include) = parse::solve(request.get_ref(), &settings.limits)?;
        let puzzle = self.asked(puzzle, request, &settings.limits).await?;
        let class = if include.steps { Class::Long } else { Class::Short };
        let work = move |cancel: &Cancel| caller_puzzle::solve(&puzzle, include, cancel);
        self.compute(class, request, work).await?
    }

    pub(crate) async fn rate(&self, request: &Request<pb::RateRequest>) -> Reply<pb::RateResponse> {
        let settings = self.settings();
        let puzzle = CallerPuzzle::of(parse::rate(request.get_ref(), &settings.limits)?, &settings.limits)?;
        let work = move |cancel: &Cancel| caller_puzzle::rate(&puzzle, cancel);
        self.compute(Class::Long, request, work).await?
    }

    pub(crate) async fn validate(&self, request: &Request<pb::ValidateRequest>) -> Reply<pb::ValidateResponse> {
        let settings = self.settings();
        let (puzzle, include) = parse::validate(request.get_ref(), &settings.limits)?;
        let puzzle = CallerPuzzle::of(puzzle, &settings.limits)?;
        let work = move |cancel: &Cancel| caller_puzzle::validate(&puzzle, include, cancel);
        self.compute(Class::Short, request, work).await?
    }

    pub(crate) async fn hint(&self, request: &Request<pb::HintRequest>) -> Reply<pb::HintResponse> {
        let settings = self.settings();
        let puzzle = self.asked(parse::hint(request.get_ref(), &settings.limits)?, request, &settings.limits).await?;
        let pb::HintRequest { board: text, candidates, .. } = request.get_ref().clone();
        let work = move |cancel: &Cancel| {
            caller_puzzle::hint(&puzzle, PlayerBoard { text: &text, candidates: &candidates }, cancel)
        };
        self.compute(Class::Short, request, work).await?
    }

    pub(crate) async fn check_board(&self, request: &Request<pb::CheckBoardRequest>) -> Reply<pb::CheckBoardResponse> {
        let settings = self.settings();
        let asked = parse::check_board(request.get_ref(), &settings.limits)?;
        let is_stored = matches!(asked, AskedPuzzle::Stored { .. });
        let puzzle = self.asked(asked, request, &settings.limits).await?;
        let board = request.get_ref().board.clone();
        let work = move |cancel: &Cancel| caller_puzzle::check(&puzzle, &board, cancel);
        // The stored solution needs no search, and so no thread.
        if is_stored {
            return work(&Cancel::new(false));
        }
        self.compute(Class::Short, request, work).await?
    }

    pub(crate) async fn render_puzzle(
        &self,
        request: &Request<pb::RenderPuzzleRequest>,
    ) -> Reply<pb::RenderPuzzleResponse> {
        let settings = self.settings();
        let (puzzle, wanted) = parse::render_puzzle(request.get_ref(), &settings.limits)?;
        let puzzle = self.asked(puzzle, request, &settings.limits).await?;
        let class = if wanted.step.is_some() { Class::Long } else { Class::Short };
        let work = move |cancel: &Cancel| caller_puzzle::picture(&puzzle, wanted, cancel);
        self.compute(class, request, work).await?
    }
}
