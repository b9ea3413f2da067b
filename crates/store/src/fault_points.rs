//! Fault injection for tests: makes a write fail or halt at a fault point, a named point before one of its statements, or
//! before or after its commit.

use std::{
    fmt::Debug,
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
};

use async_trait::async_trait;

use crate::StoreError;

/// Decides what happens at the fault points: before each statement of a write, before its commit, and after its commit.
#[async_trait]
pub trait FaultPoints: Debug + Send + Sync {
    /// Lets the write continue, or fails it at this point. A failure after the commit stands for a lost reply.
    async fn at(&self, point: &'static str) -> Result<(), StoreError>;
}

/// Lets every write continue.
#[derive(Debug)]
pub struct NoFaults;

#[async_trait]
impl FaultPoints for NoFaults {
    async fn at(&self, _point: &'static str) -> Result<(), StoreError> {
        Ok(())
    }
}

/// When a write reaches a point for the n-th time, halts the write and reports this on standard error. A test can then
/// kill the process at that point.
#[derive(Debug)]
pub struct HaltAt {
    point: String,
    left: AtomicU32,
}

impl HaltAt {
    /// Parses `point:n`, where n is at least 1.
    ///
    /// # Errors
    /// A sentence if the text has another form.
    pub fn parse(text: &str) -> Result<Arc<dyn FaultPoints>, String> {
        let (point, nth) = text.rsplit_once(':').ok_or_else(|| format!("{text:?} is not POINT:N"))?;
        let left = nth.parse().ok().filter(|&nth| nth > 0).ok_or_else(|| format!("{nth:?} is not a count from 1"))?;
        Ok(Arc::new(Self { point: point.to_owned(), left: AtomicU32::new(left) }))
    }
}

#[async_trait]
impl FaultPoints for HaltAt {
    async fn at(&self, point: &'static str) -> Result<(), StoreError> {
        if point == self.point && self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            eprintln!("halted at {point}");
            std::future::pending::<()>().await;
        }
        Ok(())
    }
}
