//! Measures the time that a call uses on compute threads, charges it to the caller's quota, and records it for the call
//! log.

use std::sync::{Arc, atomic::AtomicBool};

use http::Extensions;

use crate::{
    access::Caller,
    calls::{
        context::CallContext,
        errors::{ServiceError, access_error::AccessError},
    },
};
use puzzled_base::clock::Clock;

/// Measures the work of one call.
#[derive(Debug, Clone)]
pub(crate) struct Meter {
    clock: Arc<dyn Clock>,
    call: Option<Arc<CallContext>>,
    caller: Option<Arc<Caller>>,
}

impl Meter {
    pub(crate) fn of(extensions: &Extensions, clock: &Arc<dyn Clock>) -> Self {
        Self { clock: Arc::clone(clock), call: extensions.get().cloned(), caller: extensions.get().cloned() }
    }

    /// Checks, before work begins, whether the caller may compute.
    ///
    /// # Errors
    /// [`AccessError::Rate`] if the caller's quota is used up.
    pub(crate) fn may_compute(&self) -> Result<(), ServiceError> {
        let Some(Caller { principal, usage: Some(usage), .. }) = self.caller.as_deref() else { return Ok(()) };
        let over = |over| AccessError::Rate { over, principal: Arc::clone(&principal.name) };
        Ok(usage.may_compute().map_err(over)?)
    }

    /// Wraps work so that its time is measured and charged.
    pub(crate) fn timed<T>(
        self,
        work: impl FnOnce(&AtomicBool) -> T + Send + 'static,
    ) -> impl FnOnce(&AtomicBool) -> T + Send + 'static {
        move |cancel| {
            let begun = self.clock.elapsed();
            let done = work(cancel);
            let used = self.clock.elapsed().saturating_sub(begun);
            if let Some(call) = &self.call {
                call.add_compute(used);
            }
            if let Some(usage) = self.caller.as_ref().and_then(|caller| caller.usage.as_ref()) {
                usage.charge(used);
            }
            done
        }
    }
}
