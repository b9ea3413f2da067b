//! The call log: one line when a call of the API ends. A setting chooses all calls, none, or, by default, those that
//! fail or take longer than a second, at most 100 lines per second for each reason.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use tokio::time::MissedTickBehavior;
use tonic::Code;
use tracing::field::display;

use super::context::CallContext;
use crate::{
    settings::{CurrentSettings, LoggedCalls},
    telemetry::{calls::code_name, traces::trace_id},
};

/// A call that takes longer is logged even if it succeeds.
const SLOW: Duration = Duration::from_secs(1);

/// The maximum number of lines per second for each reason.
const LINES_MAX: u64 = 100;

/// The log of the calls of one server.
#[derive(Debug)]
pub(crate) struct CallLog {
    current: Arc<CurrentSettings>,
    /// The number of lines in this second by reason, including those left out. The keys are reasons and status codes,
    /// so they are few.
    lines: Mutex<BTreeMap<&'static str, u64>>,
}

/// A call that has ended.
#[derive(Debug)]
pub(super) struct EndedCall<'a> {
    /// The service and the method, or `unknown` twice.
    pub(crate) names: (&'a str, &'a str),
    pub(crate) context: &'a CallContext,
    pub(crate) code: Code,
    /// The reason of the call's error, if it has one.
    pub(crate) reason: Option<&'static str>,
    pub(crate) took: Duration,
    /// Bytes of the response's messages.
    pub(crate) bytes: u64,
}

impl CallLog {
    /// Logs the calls that the settings select.
    pub(crate) fn new(current: Arc<CurrentSettings>) -> Self {
        Self { current, lines: Mutex::default() }
    }

    /// Logs a call that has ended, if the settings select it.
    pub(super) fn ended(&self, call: &EndedCall<'_>) {
        if !is_own(call.names.0) {
            return;
        }
        let is_logged = match self.current.get().server.log_calls {
            LoggedCalls::All => true,
            LoggedCalls::Slow => {
                (call.code != Code::Ok || call.took > SLOW) && !call.was_left_after_a_message() && self.has_room(call)
            }
            LoggedCalls::Off => false,
        };
        if is_logged {
            call.log();
        }
    }

    /// Counts a line, and returns whether it is within the limit of this second.
    fn has_room(&self, call: &EndedCall<'_>) -> bool {
        let mut lines = self.lines();
        let lines = lines.entry(call.reason.unwrap_or_else(|| code_name(call.code))).or_default();
        *lines += 1;
        *lines <= LINES_MAX
    }

    /// Logs every second how many lines were left out in that second.
    pub(crate) async fn tell_left_out(&self) -> ! {
        let mut seconds = tokio::time::interval(Duration::from_secs(1));
        seconds.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            seconds.tick().await;
            self.end_second();
        }
    }

    /// Logs how many lines were left out, and starts a new count.
    pub(crate) fn end_second(&self) {
        let lines = std::mem::take(&mut *self.lines());
        for (reason, lines) in lines.into_iter().filter(|(_, lines)| *lines > LINES_MAX) {
            tracing::info!(%reason, count = lines - LINES_MAX, "calls left out of the log");
        }
    }

    fn lines(&self) -> MutexGuard<'_, BTreeMap<&'static str, u64>> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl EndedCall<'_> {
    /// Whether the caller left a stream, or a complete response, after it had got a message. It has what it wanted.
    fn was_left_after_a_message(&self) -> bool {
        self.code == Code::Cancelled && self.reason.is_none() && self.bytes > 0
    }

    fn log(&self) {
        let (service, method) = self.names;
        let principal = self.context.principal.get().map(|principal| display(&principal.name));
        tracing::info!(
            method = format_args!("{service}/{method}"),
            code = %code_name(self.code),
            reason = self.reason.map(display),
            principal,
            peer = self.context.peer.map(display::<SocketAddr>),
            ms = millis(self.took),
            compute_ms = millis(self.context.compute()),
            bytes = self.bytes,
            call_id = %self.context.id,
            trace_id = self.context.traceparent.as_deref().map(|span| display(trace_id(span))),
            "call ended"
        );
    }
}

/// Whether calls of this service are logged and traced: all but those of health and reflection.
pub(crate) fn is_own(service: &str) -> bool {
    !service.starts_with("grpc.")
}

/// Milliseconds with three decimals.
fn millis(time: Duration) -> f64 {
    let micros = u32::try_from(time.as_micros()).map_or(f64::from(u32::MAX), f64::from);
    micros / 1_000.0
}
