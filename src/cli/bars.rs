//! Progress bars of stock targets and jobs for `watch` and `refill`, one per line on standard error. Only a terminal
//! shows them.

use std::{
    collections::BTreeMap,
    io::{Write as _, stderr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use super::{outlooks, tables};
use crate::proto::v1 as pb;

/// The bars, by the ID of their target or job. Clones share the bars.
#[derive(Debug, Clone)]
pub(super) struct Bars {
    lines: MultiProgress,
    known: Arc<Mutex<BTreeMap<String, Line>>>,
}

#[derive(Debug, Clone)]
struct Line {
    bar: ProgressBar,
    target: u64,
}

impl Bars {
    pub(super) fn new() -> Self {
        Self { lines: MultiProgress::new(), known: Arc::default() }
    }

    /// Shows the stock, the state, and the forecast of a target.
    pub(super) fn show(&self, outlook: &pb::TargetOutlook) {
        let target = outlook.target.clone().unwrap_or_default();
        let line = self.line(&target.id, target.target.into(), &tables::target(&target));
        line.bar.set_position(outlook.have);
        line.bar.set_message(outlooks::standing(outlook));
    }

    /// Moves the bar of a target to the progress of its job. Ignores a target without a bar.
    pub(super) fn moved(&self, target: &str, job: &pb::Job) {
        let line = self.known().get(target).cloned();
        if let Some(Line { bar, target }) = line {
            bar.set_position(target.saturating_sub((job.wanted - job.made).into()));
            bar.set_message(tables::word(job.state()));
        }
    }

    /// Shows the progress of a job with a bar of its own.
    pub(super) fn job(&self, job: &pb::Job) {
        let line = self.line(&job.id, job.wanted.into(), &tables::job(job));
        line.bar.set_position(job.made.into());
        line.bar.set_message(tables::word(job.state()));
    }

    /// Writes a line to standard error above the bars.
    pub(super) fn remark(&self, remark: &str) {
        self.lines.suspend(|| {
            // A closed standard error is not a failure of the command.
            let _ = writeln!(stderr(), "{remark}");
        });
    }

    /// Removes all bars.
    pub(super) fn end(&self) {
        for line in self.known().values() {
            line.bar.finish_and_clear();
        }
    }

    fn line(&self, id: &str, target: u64, words: &str) -> Line {
        let mut known = self.known();
        let line = known.entry(id.to_owned()).or_insert_with(|| {
            let template = "{prefix} {wide_bar} {human_pos}/{human_len} {msg}";
            let style = ProgressStyle::with_template(template).unwrap_or_else(|_| ProgressStyle::default_bar());
            let bar = self.lines.add(ProgressBar::new(target).with_style(style).with_prefix(format!("{id} {words}")));
            Line { bar, target }
        });
        line.clone()
    }

    fn known(&self) -> MutexGuard<'_, BTreeMap<String, Line>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
