//! Shows the states and forecasts of stock targets in the same words for `stock`, `refill`, and `watch`: as a table, as lines,
//! and as progress bars. Also decides whether all are stocked.

use std::{
    collections::BTreeMap,
    io::{Write as _, stderr},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use indicatif::{MultiProgress, ProgressBar, ProgressStyle};

use crate::{
    Ended,
    client::server_clock,
    output::{
        numbers,
        tables::{self, Cells},
    },
};
use puzzled_api::v1 as pb;

/// Returns [`Ended::Done`] if each of these targets has at least its low-water mark in stock, whether or not a job is
/// filling it.
pub(in crate::remote) fn ended(outlooks: &[pb::TargetOutlook]) -> Ended {
    let low_water = |outlook: &pb::TargetOutlook| outlook.target.as_ref().map_or(0, |target| target.low_water);
    let is_stocked = |outlook: &pb::TargetOutlook| outlook.have >= u64::from(low_water(outlook));
    if outlooks.iter().all(is_stocked) { Ended::Done } else { Ended::Partly }
}

/// The table of targets with their rates on `workers` worker threads, followed by a line for each fault, which is cut
/// unless `whole`.
pub(in crate::remote) fn table(outlooks: &[pb::TargetOutlook], workers: u32, whole: bool) -> String {
    let columns = [
        ("TARGET", Cells::Text),
        ("PUZZLES", Cells::Wrapped),
        ("HAVE", Cells::Numbers),
        ("STATE", Cells::Wrapped),
        ("PER MIN", Cells::Numbers),
        ("EACH", Cells::Numbers),
        ("FULL IN", Cells::Numbers),
    ];
    let rows = outlooks.iter().map(|outlook| {
        let target = outlook.target.clone().unwrap_or_default();
        let rate = outlook.rate.as_ref().filter(|rate| rate.hits > 0);
        vec![
            target.id.clone(),
            tables::target(&target),
            have(outlook),
            state(outlook),
            rate.map(|rate| numbers::short(rate.hits_per_minute * f64::from(workers))).unwrap_or_default(),
            rate.map(|rate| numbers::step(rate.seconds_per_hit)).unwrap_or_default(),
            full_in(outlook).unwrap_or_default(),
        ]
    });
    let remarks: Vec<_> = outlooks.iter().filter_map(|outlook| remark(outlook, whole)).collect();
    tables::table(&columns, rows) + &remarks.concat()
}

/// A target on one line: `target-1 sudoku 9x9 easy: 12/30 filling, full in 3m 02s`.
pub(in crate::remote) fn line(outlook: &pb::TargetOutlook) -> String {
    let target = outlook.target.clone().unwrap_or_default();
    format!("{} {}: {} {}", target.id, tables::target(&target), have(outlook), standing(outlook))
}

/// The state of a target and the server's forecast: `filling, full in 3m 02s`.
fn standing(outlook: &pb::TargetOutlook) -> String {
    let forecast = full_in(outlook).map(|time| format!(", full in {time}")).unwrap_or_default();
    state(outlook) + &forecast
}

fn have(outlook: &pb::TargetOutlook) -> String {
    let wanted = outlook.target.as_ref().map_or(0, |target| target.target);
    format!("{}/{}", numbers::count(outlook.have), numbers::count(wanted))
}

/// The state, and the time until the next window opens or the pause ends.
fn state(outlook: &pb::TargetOutlook) -> String {
    let now = numbers::timestamp(server_clock::now());
    let until = outlook.due_time.as_ref().map(|due| format!(" {}", numbers::between(&now, due)));
    tables::word(outlook.state()) + &until.unwrap_or_default()
}

fn full_in(outlook: &pb::TargetOutlook) -> Option<String> {
    outlook.time_to_full.as_ref().filter(|_| outlook.missing > 0).map(numbers::duration)
}

fn remark(outlook: &pb::TargetOutlook, whole: bool) -> Option<String> {
    let text = if !outlook.refusal.is_empty() {
        format!("unreachable: {}", outlook.refusal)
    } else if let Some(pb::Unreachable { tries, work_time, min_time_per_puzzle }) = outlook.unreachable {
        let [work, least] = [work_time, min_time_per_puzzle].map(|time| numbers::duration(&time.unwrap_or_default()));
        let tries = numbers::count(tries);
        format!(
            "unreachable: {tries} tries in {work} of work made none; with 99 % confidence, one takes more than {least}"
        )
    } else if outlook.missing > 0 && !outlook.last_error.is_empty() {
        outlook.last_error.clone()
    } else {
        return None;
    };
    let id = outlook.target.as_ref().map_or("", |target| &target.id);
    Some(tables::remark(id, &text, whole))
}

/// Progress bars by the ID of their target or job, one per line on standard error. Only a terminal shows them. Clones share the
/// bars.
#[derive(Debug, Clone)]
pub(in crate::remote) struct Bars {
    lines: MultiProgress,
    known: Arc<Mutex<BTreeMap<String, ProgressBar>>>,
}

impl Bars {
    pub(in crate::remote) fn new() -> Self {
        Self { lines: MultiProgress::new(), known: Arc::default() }
    }

    /// Shows the stock, the state, and the forecast of a target.
    pub(in crate::remote) fn show(&self, outlook: &pb::TargetOutlook) {
        let target = outlook.target.clone().unwrap_or_default();
        let bar = self.bar(&target.id, target.target.into(), &tables::target(&target));
        bar.set_position(outlook.have);
        bar.set_message(standing(outlook));
    }

    /// Moves the bar of a target to the progress of its job. Ignores a target without a bar.
    pub(in crate::remote) fn moved(&self, target: &str, job: &pb::Job) {
        if let Some(bar) = self.known().get(target) {
            let target = bar.length().unwrap_or_default();
            bar.set_position(target.saturating_sub((job.wanted - job.made).into()));
            bar.set_message(tables::word(job.state()));
        }
    }

    /// Shows the progress of a job with a separate bar.
    pub(in crate::remote) fn job(&self, job: &pb::Job) {
        let bar = self.bar(&job.id, job.wanted.into(), &tables::job(job));
        bar.set_position(job.made.into());
        bar.set_message(tables::word(job.state()));
    }

    /// Writes a line to standard error above the bars.
    pub(in crate::remote) fn remark(&self, remark: &str) {
        self.lines.suspend(|| {
            // A closed standard error is not a failure of the command.
            let _ = writeln!(stderr(), "{remark}");
        });
    }

    /// Removes all bars.
    pub(in crate::remote) fn end(&self) {
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
