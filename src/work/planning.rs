//! Runs the planner every second: queues and ends refills, gives the days of series their puzzles, and logs targets that become unreachable or reachable again.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
    time::Duration,
};

use crate::telemetry::{Telemetry, traces::TraceSpan};
use puzzled_base::{ids::TargetId, lasting::Lasting, log_lasting};
use puzzled_engine::registry;
use puzzled_store::{
    StoreError,
    jobs::{
        job::{Job, JobState},
        queue::Queue,
    },
    stock::draws::{Stock, days::Planned},
    targets::need::{Need, Outlook},
};

/// The time between two plans.
const PLAN_EVERY: Duration = Duration::from_secs(1);

/// Plans refills and daily puzzles. Every server does this, with or without workers; `puzzled work` does not.
pub async fn plan_refills(stock: Arc<Stock>, queue: Arc<Queue>, telemetry: Arc<Telemetry>) {
    let (mut unreachable, mut failing) = (BTreeSet::new(), Lasting::default());
    let mut failing_days = Lasting::default();
    loop {
        let changed = log_lasting!(
            failing, turn(&stock, &telemetry, &mut unreachable).await,
            begins: "refills not planned; the planner retries every second",
            ends: "refills planned again after failures"
        );
        for job in changed.into_iter().flatten() {
            log(&job);
            queue.announce(&job);
        }
        plan_days(&stock, &queue, &mut failing_days).await;
        tokio::time::sleep(PLAN_EVERY).await;
    }
}

/// Runs one pass: gives puzzles to days of series, and queues jobs for the days that lack one.
async fn plan_days(stock: &Stock, queue: &Queue, failing: &mut Lasting) {
    let planned = log_lasting!(
        failing, stock.plan_days().await,
        begins: "daily puzzles not planned; the planner retries every second",
        ends: "daily puzzles planned again after failures"
    );
    let Some(Planned { drawn, queued }) = planned else { return };
    for (series, date, puzzle) in drawn {
        tracing::info!(series, %date, %puzzle, "daily puzzle drawn");
    }
    for (series, job) in queued {
        let (spec, count) = (job.spec.words(), job.wanted);
        tracing::info!(series, job = %job.id, spec, count, "daily puzzles queued");
        queue.announce(&job);
    }
}

/// Plans once. Returns the jobs that were queued or ended.
async fn turn(
    stock: &Stock,
    telemetry: &Telemetry,
    unreachable: &mut BTreeSet<TargetId>,
) -> Result<Vec<Job>, StoreError> {
    let mut outlooks = stock.planner().outlooks().await?;
    // Targets of a kind that only a newer version knows are left to a server of that version.
    outlooks.retain(|outlook| registry::kind(&outlook.target.wish.spec.kind).is_some());
    log_unreachable(&outlooks, unreachable);
    let mut spans = BTreeMap::new();
    let changed = stock
        .planner()
        .act(outlooks, |target| {
            let span = telemetry.traces()?.refill(target)?;
            let traceparent = span.traceparent();
            spans.insert(target.id, span);
            Some(traceparent)
        })
        .await;
    end_spans(spans, changed.as_deref().unwrap_or_default());
    changed
}

/// Ends the spans of refills that were queued, and discards those of others.
fn end_spans(mut spans: BTreeMap<TargetId, TraceSpan>, changed: &[Job]) {
    for job in changed.iter().filter(|job| job.state == JobState::Queued) {
        if let Some(mut span) = job.target_id.and_then(|target| spans.remove(&target)) {
            span.set("puzzled.job", job.id.to_string());
        }
    }
    spans.into_values().for_each(TraceSpan::discard);
}

fn log(job: &Job) {
    let stock_target = job.target_id.map(tracing::field::display);
    let spec = job.spec.words();
    if job.state == JobState::Queued {
        tracing::info!(stock_target, job = %job.id, spec, count = job.wanted, "refill planned");
    } else {
        let state = job.state.name();
        tracing::info!(stock_target, job = %job.id, spec, state, made = job.made, of = job.wanted, error = job.error, "refill ended");
    }
}

/// Logs each target once when it becomes unreachable, and once when it is reachable again.
fn log_unreachable(outlooks: &[Outlook], known: &mut BTreeSet<TargetId>) {
    for outlook in outlooks {
        let (id, spec) = (outlook.target.id, outlook.target.wish.spec.words());
        if outlook.need == Need::Unreachable {
            if known.insert(id) {
                let tries = outlook.rate.as_ref().map_or(0, |rate| rate.tries);
                tracing::warn!(
                    stock_target = %id,
                    spec,
                    tries,
                    refusal = outlook.refusal,
                    "stock target became unreachable: widen its criteria, or delete it"
                );
            }
        } else if known.remove(&id) {
            tracing::info!(stock_target = %id, spec, "stock target became reachable again");
        }
    }
    known.retain(|id| outlooks.iter().any(|outlook| outlook.target.id == *id));
}
