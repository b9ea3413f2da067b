//! Calls that many tests make, and the part of each answer that they look at.

use crate::prelude::*;

impl Server {
    pub(crate) async fn get_puzzle(&self, request: pb::GetPuzzleRequest) -> Result<pb::Puzzle, Status> {
        Ok(self.puzzles().await.get_puzzle(request).await?.into_inner().puzzle.unwrap())
    }

    pub(crate) async fn list_puzzles(
        &self,
        request: pb::ListPuzzlesRequest,
    ) -> Result<pb::ListPuzzlesResponse, Status> {
        Ok(self.puzzles().await.list_puzzles(request).await?.into_inner())
    }

    /// The puzzles of each message of an export.
    pub(crate) async fn export(&self, request: pb::ExportPuzzlesRequest) -> Result<Vec<Vec<pb::Puzzle>>, Status> {
        let mut stream = self.puzzles().await.export_puzzles(request).await?.into_inner();
        let mut messages = Vec::new();
        while let Some(message) = stream.message().await? {
            messages.push(message.puzzles);
        }
        Ok(messages)
    }

    /// Withdraws a puzzle as a misprint.
    pub(crate) async fn withdraw(&self, id: &str) -> Result<pb::Puzzle, Status> {
        let request =
            pb::WithdrawPuzzleRequest { id: id.to_owned(), reason: "a misprint".to_owned(), ..Default::default() };
        Ok(self.puzzles().await.withdraw_puzzle(request).await?.into_inner().puzzle.unwrap())
    }

    /// The deliveries to an audience, newest first, without further pages.
    pub(crate) async fn deliveries(&self, audience: &str) -> Vec<pb::Delivery> {
        let request = pb::ListDeliveriesRequest { audience: audience.to_owned(), page_size: 200, ..Default::default() };
        self.puzzles().await.list_deliveries(request).await.unwrap().into_inner().deliveries
    }

    pub(crate) async fn generate(&self, request: pb::GenerateRequest) -> Result<pb::Job, Status> {
        Ok(self.puzzles().await.generate(request).await?.into_inner().job.unwrap())
    }

    pub(crate) async fn batch_generate(&self, requests: &[pb::GenerateRequest]) -> Result<Vec<pb::Job>, Status> {
        let request = pb::BatchGenerateRequest { requests: requests.to_vec() };
        Ok(self.puzzles().await.batch_generate(request).await?.into_inner().jobs)
    }

    pub(crate) async fn job(&self, id: &str) -> pb::Job {
        self.jobs().await.get_job(pb::GetJobRequest { id: id.to_owned() }).await.unwrap().into_inner().job.unwrap()
    }

    pub(crate) async fn list_jobs(&self, request: pb::ListJobsRequest) -> Result<Vec<pb::Job>, Status> {
        Ok(self.jobs().await.list_jobs(request).await?.into_inner().jobs)
    }

    pub(crate) async fn cancel_job(&self, id: &str) -> Result<pb::Job, Status> {
        let request = pb::CancelJobRequest { id: id.to_owned() };
        Ok(self.jobs().await.cancel_job(request).await?.into_inner().job.unwrap())
    }

    pub(crate) async fn retry_job(&self, id: &str) -> Result<pb::Job, Status> {
        let request = pb::RetryJobRequest { id: id.to_owned() };
        Ok(self.jobs().await.retry_job(request).await?.into_inner().job.unwrap())
    }

    pub(crate) async fn queue_state(&self) -> pb::Queue {
        self.jobs().await.get_queue(pb::GetQueueRequest {}).await.unwrap().into_inner().queue.unwrap()
    }

    pub(crate) async fn pause_queue(&self, reason: &str) -> Result<pb::Queue, Status> {
        let request = pb::PauseQueueRequest { reason: reason.to_owned() };
        Ok(self.jobs().await.pause_queue(request).await?.into_inner().queue.unwrap())
    }

    pub(crate) async fn resume_queue(&self) -> pb::Queue {
        self.jobs().await.resume_queue(pb::ResumeQueueRequest {}).await.unwrap().into_inner().queue.unwrap()
    }

    pub(crate) async fn get_stock(&self, request: pb::GetStockRequest) -> Result<pb::GetStockResponse, Status> {
        Ok(self.stock().await.get_stock(request).await?.into_inner())
    }

    pub(crate) async fn list_targets(&self) -> Vec<pb::StockTarget> {
        let request = pb::ListStockTargetsRequest::default();
        self.stock().await.list_stock_targets(request).await.unwrap().into_inner().targets
    }

    pub(crate) async fn limits(&self) -> pb::Limits {
        let request = pb::GetServerInfoRequest {};
        self.info().await.get_server_info(request).await.unwrap().into_inner().limits.unwrap()
    }
}

/// A request for any Sudoku, for an audience if there is one.
pub(crate) fn sudoku_for(audience: &str) -> pb::GetPuzzleRequest {
    pb::GetPuzzleRequest { kind: pb::Kind::Sudoku.into(), audience: audience.to_owned(), ..Default::default() }
}

/// A request for the job with the first ID.
pub(crate) fn job_1() -> pb::GetJobRequest {
    pb::GetJobRequest { id: "job-1".to_owned() }
}
