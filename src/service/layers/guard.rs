//! Wraps the handlers of all methods: checks the fields of each request by [`field_rules`], removes from the response
//! by [`redact`] what the caller may not see, and ends a stream whose caller loses its access.

use std::{pin::Pin, sync::Arc};

use futures_util::stream::unfold;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};

use super::{
    call,
    denials::Denials,
    field_rules::{self, CalledBy, Checked},
    redact,
    revocable::lost_access,
};
use crate::{
    access::{Caller, Gate},
    proto::v1::{
        self as pb, job_service_server::JobService, puzzle_service_server::PuzzleService,
        series_service_server::SeriesService, server_service_server::ServerService, stock_service_server::StockService,
    },
    service::{Service, errors::ServiceError},
};

/// The handlers with their access rules.
#[derive(Debug)]
pub(in crate::service) struct Guard {
    inner: Arc<Service>,
    gate: Arc<Gate>,
    denials: Arc<Denials>,
}

type Messages<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

macro_rules! guarded {
    ($service:ident {
        $($method:ident($request:ident) -> $response:ident: $check:ident, $hide:ident;)*
    }, streams {
        $($stream:ident = $streams:ident($wanted:ident) -> $message:ident: $rule:ident, $cover:ident;)*
    }) => {
        #[tonic::async_trait]
        impl $service for Guard {
            $(async fn $method(&self, request: Request<pb::$request>) -> Result<Response<pb::$response>, Status> {
                let caller = self.check(&request, stringify!($request), field_rules::$check)?;
                let answer = self.inner.$method(request).await;
                shown(&caller, answer, redact::$hide)
            })*
            $(type $stream = Messages<pb::$message>;

            async fn $streams(&self, request: Request<pb::$wanted>) -> Result<Response<Self::$stream>, Status> {
                let caller = self.check(&request, stringify!($wanted), field_rules::$rule)?;
                let answer = self.inner.$streams(request).await;
                self.stream(&caller, answer, redact::$cover)
            })*
        }
    };
}

guarded!(PuzzleService {
    generate(GenerateRequest) -> GenerateResponse: generate, generate;
    batch_generate(BatchGenerateRequest) -> BatchGenerateResponse: batch_generate, batch_generate;
    get_puzzle(GetPuzzleRequest) -> GetPuzzleResponse: get_puzzle, get_puzzle;
    batch_get_puzzles(BatchGetPuzzlesRequest) -> BatchGetPuzzlesResponse: batch_get_puzzles, batch_get_puzzles;
    get_daily_puzzle(GetDailyPuzzleRequest) -> GetDailyPuzzleResponse: get_daily_puzzle, get_daily_puzzle;
    list_puzzles(ListPuzzlesRequest) -> ListPuzzlesResponse: list_puzzles, list_puzzles;
    list_deliveries(ListDeliveriesRequest) -> ListDeliveriesResponse: any, nothing;
    forget_audience(ForgetAudienceRequest) -> ForgetAudienceResponse: any, nothing;
    withdraw_puzzle(WithdrawPuzzleRequest) -> WithdrawPuzzleResponse: any, withdraw_puzzle;
    withdraw_puzzles(WithdrawPuzzlesRequest) -> WithdrawPuzzlesResponse: any, nothing;
    release_puzzles(ReleasePuzzlesRequest) -> ReleasePuzzlesResponse: any, nothing;
    import_puzzles(ImportPuzzlesRequest) -> ImportPuzzlesResponse: any, nothing;
    solve(SolveRequest) -> SolveResponse: solve, nothing;
    rate(RateRequest) -> RateResponse: any, nothing;
    validate(ValidateRequest) -> ValidateResponse: validate, validate;
    hint(HintRequest) -> HintResponse: any, nothing;
    check_board(CheckBoardRequest) -> CheckBoardResponse: any, nothing;
    render_puzzle(RenderPuzzleRequest) -> RenderPuzzleResponse: render_puzzle, nothing;
    record_deliveries(RecordDeliveriesRequest) -> RecordDeliveriesResponse: any, nothing;
    find_puzzle(FindPuzzleRequest) -> FindPuzzleResponse: any, nothing;
}, streams {
    ExportPuzzlesStream = export_puzzles(ExportPuzzlesRequest) -> ExportPuzzlesResponse: export_puzzles, export_puzzles;
});

guarded!(JobService {
    get_job(GetJobRequest) -> GetJobResponse: any, get_job;
    list_jobs(ListJobsRequest) -> ListJobsResponse: any, list_jobs;
    cancel_job(CancelJobRequest) -> CancelJobResponse: any, cancel_job;
    retry_job(RetryJobRequest) -> RetryJobResponse: any, retry_job;
    get_queue(GetQueueRequest) -> GetQueueResponse: any, nothing;
    pause_queue(PauseQueueRequest) -> PauseQueueResponse: any, nothing;
    resume_queue(ResumeQueueRequest) -> ResumeQueueResponse: any, nothing;
}, streams {
    WatchJobStream = watch_job(WatchJobRequest) -> WatchJobResponse: any, watch_job;
});

guarded!(StockService {
    get_stock(GetStockRequest) -> GetStockResponse: any, nothing;
    create_stock_target(CreateStockTargetRequest) -> CreateStockTargetResponse: any, nothing;
    update_stock_target(UpdateStockTargetRequest) -> UpdateStockTargetResponse: any, nothing;
    list_stock_targets(ListStockTargetsRequest) -> ListStockTargetsResponse: any, nothing;
    delete_stock_target(DeleteStockTargetRequest) -> DeleteStockTargetResponse: any, nothing;
    refill(RefillRequest) -> RefillResponse: any, refill;
}, streams {
    WatchStockStream = watch_stock(WatchStockRequest) -> WatchStockResponse: any, nothing;
});

guarded!(SeriesService {
    create_daily_series(CreateDailySeriesRequest) -> CreateDailySeriesResponse: any, nothing;
    update_daily_series(UpdateDailySeriesRequest) -> UpdateDailySeriesResponse: any, nothing;
    end_daily_series(EndDailySeriesRequest) -> EndDailySeriesResponse: any, nothing;
    list_daily_series(ListDailySeriesRequest) -> ListDailySeriesResponse: any, nothing;
}, streams {});

guarded!(ServerService {
    get_server_info(GetServerInfoRequest) -> GetServerInfoResponse: any, nothing;
    list_processes(ListProcessesRequest) -> ListProcessesResponse: any, nothing;
    list_audit_entries(ListAuditEntriesRequest) -> ListAuditEntriesResponse: any, nothing;
}, streams {});

impl Guard {
    pub(in crate::service) fn new(inner: Arc<Service>, gate: Arc<Gate>) -> Arc<Self> {
        let denials = Arc::clone(&inner.denials);
        Arc::new(Self { inner, gate, denials })
    }

    /// The caller, if its principal may send this request; otherwise the call counts as denied. `message` is the
    /// name of the request's message type.
    fn check<T>(
        &self,
        request: &Request<T>,
        message: &'static str,
        rule: impl FnOnce(CalledBy<'_>, &T) -> Checked,
    ) -> Result<Arc<Caller>, ServiceError> {
        let caller = call::caller_of(request.extensions())?;
        if let Err(error) = rule(CalledBy(&caller.principal), request.get_ref()) {
            self.denials.note(call::actor_of(request, message.trim_end_matches("Request"))?);
            return Err(error.into());
        }
        Ok(caller)
    }

    /// The messages of a stream as its caller may see them, until the caller loses its access.
    fn stream<T, S>(
        &self,
        caller: &Arc<Caller>,
        answer: Result<Response<S>, Status>,
        hide: impl Fn(&mut T) + Copy + Send + 'static,
    ) -> Result<Response<Messages<T>>, Status>
    where
        T: Send + 'static,
        S: Stream<Item = Result<T, Status>> + Send + Unpin + 'static,
    {
        let hides = !caller.principal.sees_solutions;
        let lost = Box::pin(lost_access(Arc::clone(&self.gate), Arc::clone(caller)));
        let shown = |messages: S| {
            let messages = unfold(Some((messages, lost)), move |open| async move {
                let (mut messages, mut lost) = open?;
                tokio::select! {
                    biased;
                    error = &mut lost => Some((Err(error.into()), None)),
                    message = messages.next() => {
                        let message = message?.map(|mut message| {
                            if hides {
                                hide(&mut message);
                            }
                            message
                        });
                        Some((message, Some((messages, lost))))
                    }
                }
            });
            Box::pin(messages) as Messages<T>
        };
        shown_as(caller, answer.map(|response| response.map(shown)))
    }
}

/// The response as its caller may see it.
fn shown<T>(
    caller: &Caller,
    answer: Result<Response<T>, Status>,
    hide: impl FnOnce(&mut T),
) -> Result<Response<T>, Status> {
    let mut response = shown_as(caller, answer)?;
    if !caller.principal.sees_solutions {
        hide(response.get_mut());
    }
    Ok(response)
}

/// The error as its caller may see it.
fn shown_as<T>(caller: &Caller, answer: Result<T, Status>) -> Result<T, Status> {
    if caller.principal.sees_solutions { answer } else { answer.map_err(redact::status) }
}
