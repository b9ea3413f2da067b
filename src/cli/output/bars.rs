//! Progress bars of stock targets and jobs for `watch` and `refill`, one per line on standard error. Only a terminal
//! shows them.

use std::{
    collections::BTreeMap,
    io::{Write as _, stderr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::tables;
use crate::{cli::remote::outlooks, proto::v1 as pb};

/// The bars, by the ID of their target or job. Clones share the bars.
#[derive(Debug, Clone)]
pub(in crate::cli) struct Bars {
    lines: MultiProgress,
    known: Arc<Mutex<BTreeMap<String, ProgressBar>>>,
}

impl Bars {
    pub(in crate::cli) fn new() -> Self {
        Self { lines: MultiProgress::new(), known: Arc::default() }
    }

    /// Shows the stock, the state, and the forecast of a target.
    pub(in crate::cli) fn show(&self, outlook: &pb::TargetOutlook) {
        let target = outlook.target.clone().unwrap_or_default();
        let bar = self.bar(&target.id, target.target.into(), &tables::target(&target));
        bar.set_position(outlook.have);
        bar.set_message(outlooks::standing(outlook));
    }

    /// Moves the bar of a target to the progress of its job. Ignores a target without a bar.
    pub(in crate::cli) fn moved(&self, target: &str, job: &pb::Job) {
        if let Some(bar) = self.known().get(target) {
            let target = bar.length().unwrap_or_default();
            bar.set_position(target.saturating_sub((job.wanted - job.made).into()));
            bar.set_message(tables::word(job.state()));
        }
    }

    /// Shows the progress of a job with a bar of its own.
    pub(in crate::cli) fn job(&self, job: &pb::Job) {
        let bar = self.bar(&job.id, job.wanted.into(), &tables::job(job));
        bar.set_position(job.made.into());
        bar.set_message(tables::word(job.state()));
    }

    /// Writes a line to standard error above the bars.
    pub(in crate::cli) fn remark(&self, remark: &str) {
        self.lines.suspend(|| {
            // A closed standard error is not a failure of the command.
            let _ = writeln!(stderr(), "{remark}");
        });
    }

    /// Removes all bars.
    pub(in crate::cli) fn end(&self) {
        for bar in self.known().values() {
            bar.finish_and_clear();
        }
    }

    fn bar(&self, id: &str, length: u64, words: &str) -> ProgressBar {
        let mut known = self.known();
        let bar = known.entry(id.to_owned()).or_insert_with(|| {
            let template = "{prefix} {wide_bar} {human_pos}/{human_len} {msg}";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            self.lines.add(ProgressBar::new(length).with_style(style).with_prefix(format!("{id} {words}")))
        });
        bar.clone()
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, ProgressBar>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
