//! Runs a thread that works on slices with idle priority, so that calls are answered first. The thread survives panics
//! of the engine.

use std::{
    any::Any,
    io,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{Arc, atomic::AtomicBool, mpsc},
    thread,
};

use thread_priority::{NormalThreadSchedulePolicy, ThreadPriority, ThreadSchedulePolicy};
use tokio::sync::oneshot;

use super::slice;
use puzzled_base::clock::Clock;
use puzzled_store::jobs::slice::{Slice, SliceWork};

/// The sender to the thread. If it is dropped, the thread ends after its current slice.
#[derive(Debug)]
pub(super) struct CpuThread {
    tasks: mpsc::Sender<Task>,
}

/// The result of a slice: its work, or the fault that ended the attempt.
pub(super) type Worked = Result<SliceWork, String>;

struct Task {
    slice: Slice,
    cut: Arc<AtomicBool>,
    reply: oneshot::Sender<Worked>,
}

impl CpuThread {
    pub(super) fn start(number: u32, clock: Arc<dyn Clock>) -> io::Result<Self> {
        let (tasks, inbox) = mpsc::channel::<Task>();
        thread::Builder::new().name(format!("worker-{number}")).spawn(move || {
            lower_priority();
            for Task { slice, cut, reply } in inbox {
                let worked = catch_unwind(AssertUnwindSafe(|| slice::work(&slice, &*clock, &cut)))
                    .unwrap_or_else(|panic| Err(format!("the engine panicked: {}", message_of(&*panic))));
                // If the receiver is gone, the lease expires.
                let _ = reply.send(worked);
            }
        })?;
        Ok(Self { tasks })
    }

    /// Sends a slice to the thread. To stop the work after the current try, set `cut`.
    pub(super) fn work(&self, slice: Slice, cut: Arc<AtomicBool>) -> oneshot::Receiver<Worked> {
        let (reply, worked) = oneshot::channel();
        // If the thread has ended, the reply is dropped, and the receiver gets an error.
        let _ = self.tasks.send(Task { slice, cut, reply });
        worked
    }
}

fn lower_priority() {
    let idle = ThreadSchedulePolicy::Normal(NormalThreadSchedulePolicy::Idle);
    let lowered =
        thread_priority::set_thread_priority_and_policy(thread_priority::thread_native_id(), ThreadPriority::Min, idle);
    if let Err(error) = lowered {
        tracing::warn!(?error, "worker priority not lowered; calls may wait for workers");
    }
}

fn message_of(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("without a message")
}
