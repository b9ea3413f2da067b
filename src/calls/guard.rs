//! Wraps all methods. By the rules in `rights`, checks the fields of each request, and removes from each response what the caller may not
//! see. Also ends a stream whose caller loses its access.

use std::{pin::Pin, sync::Arc};

use futures_util::stream::unfold;
use tokio_stream::{Stream, StreamExt as _};
use tonic::{Request, Response, Status};

use super::{
    Service,
    context::{actor_of, caller_of},
    errors::ServiceError,
    revocable::lost_access,
    rights::{CalledBy, Redacted, Restricted, redacted},
};
use crate::access::{Caller, Gate};
use puzzled_api::v1 as pb;

/// The methods with their access rules.
#[derive(Debug)]
pub(crate) struct Guard {
    inner: Arc<Service>,
    gate: Arc<Gate>,
}

type Messages<T> = Pin<Box<dyn Stream<Item = Result<T, Status>> + Send>>;

// Each method of each service: checks the request, calls the method of `Service` with the same name, and hides what the caller may not
// see.
include!(concat!(env!("OUT_DIR"), "/guarded_methods.rs"));

impl Guard {
    pub(crate) fn new(inner: Arc<Service>, gate: Arc<Gate>) -> Arc<Self> {
        Arc::new(Self { inner, gate })
    }

    /// The caller, if its principal may send this request; otherwise the call counts as denied.
    fn check<T: Restricted>(&self, request: &Request<T>, method: &'static str) -> Result<Arc<Caller>, ServiceError> {
        let caller = caller_of(request.extensions())?;
        if let Err(error) = request.get_ref().check(CalledBy(&caller.principal)) {
            self.inner.denials.note(actor_of(request, method)?);
            return Err(error.into());
        }
        Ok(caller)
    }

    /// The messages of a stream as its caller may see them, until the caller loses its access.
    fn stream<T, S>(
        &self,
        caller: &Arc<Caller>,
        answer: Result<S, ServiceError>,
    ) -> Result<Response<Messages<T>>, Status>
    where
        T: Redacted + Send + 'static,
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
                                message.redact();
                            }
                            message
                        });
                        Some((message, Some((messages, lost))))
                    }
                }
            });
            Box::pin(messages) as Messages<T>
        };
        shown_as(caller, answer).map(|messages| Response::new(shown(messages)))
    }
}

/// The response as its caller may see it.
fn shown<T: Redacted>(caller: &Caller, answer: Result<T, ServiceError>) -> Result<Response<T>, Status> {
    let mut response = shown_as(caller, answer)?;
    if !caller.principal.sees_solutions {
        response.redact();
    }
    Ok(Response::new(response))
}

/// The error as its caller may see it.
fn shown_as<T>(caller: &Caller, answer: Result<T, ServiceError>) -> Result<T, Status> {
    let answer = answer.map_err(Status::from);
    if caller.principal.sees_solutions { answer } else { answer.map_err(redacted) }
}
