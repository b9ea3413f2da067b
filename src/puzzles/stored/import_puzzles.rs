//! `ImportPuzzles`: examines the records of a call on several compute threads, for at most 10 s, and then stores them in one
//! transaction. A record whose kind or text is wrong is refused alone; a fault of the call refuses the whole call.

use std::{
    collections::HashMap,
    sync::{
        Arc, Mutex, OnceLock, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use crate::{
    calls::{Asked, Cancel, Class, Invalid, Reply, Service, ServiceError, actor_of},
    settings::{Limits, Settings},
    wire::{Parser, remark_fault},
};
use futures_util::future::join_all;
use puzzled_api::{
    v1 as pb,
    words::{kind, level},
};
use puzzled_base::clock::Clock;
use puzzled_engine::shared::{
    kind::PuzzleKind,
    names::quoted,
    spec::{Difficulty, Spec},
    text::proof::{ProofLimits, Proved, Unfit, prove},
};
use puzzled_store::stock::import::{
    Examined, Import, Imported, Outcome, OutsideStyle, ProvedPuzzle, RECORDS_MAX, Reason, Refused, outside_style,
};

/// After this time from its first record, a call begins no further record. One record can take half a minute.
const BEGIN_FOR: Duration = Duration::from_secs(10);

impl Service {
    /// Stores the puzzles of a call that are new.
    pub(crate) async fn import_puzzles(
        &self,
        request: &Asked<pb::ImportPuzzlesRequest>,
    ) -> Reply<pb::ImportPuzzlesResponse> {
        let by = actor_of(request, "ImportPuzzles")?;
        let (import, records) = parse(request.get_ref().clone())?;
        let examined = self.examine(records, request).await?;
        match self.stock.store().import(&import, &examined, &by).await? {
            Imported::Done(outcomes) => {
                let stored = outcomes.iter().filter(|outcome| outcome.stored.is_ok()).count();
                let (records, dry_run) = (outcomes.len(), import.dry_run);
                tracing::info!(import_id = import.import_id, records, stored, dry_run, "puzzles imported");
                Ok(imported(&examined, outcomes))
            }
            Imported::StockFull(full) => Err(ServiceError::StockFull(full)),
            Imported::OtherSource(source) => {
                let (sent, before) = (quoted(&import.source), quoted(&source));
                let fault =
                    format!("{sent} differs from {before}, the source of this import; send that or another import_id");
                Err(Invalid::one("source", fault))
            }
        }
    }

    /// Examines records, and returns the results of those that were begun. Uses all compute threads but one, the most that
    /// long work of a caller can get.
    async fn examine(
        &self,
        records: Vec<pb::ImportRecord>,
        request: &Asked<pb::ImportPuzzlesRequest>,
    ) -> Result<Vec<Examined>, ServiceError> {
        let settings = self.settings();
        let threads = (settings.limits.compute_threads.saturating_sub(1).max(1) as usize).min(records.len());
        let work = Arc::new(Work::new(records, Arc::clone(&self.clock), settings));
        let run = || {
            let work = Arc::clone(&work);
            self.compute(Class::Long, request, move |cancel: &Cancel| work.run(cancel))
        };
        // Without further threads, the first one does all the work.
        let (first, _others) = tokio::join!(run(), join_all((1..threads).map(|_| run())));
        first??;
        work.results()
    }
}

/// The import and the records of a request.
fn parse(request: pb::ImportPuzzlesRequest) -> Result<(Import, Vec<pb::ImportRecord>), ServiceError> {
    let pb::ImportPuzzlesRequest { import_id, source, dry_run, records } = request;
    let mut parser = Parser::default();
    if import_id.is_empty() {
        parser.refuse("import_id", "required; set the name of the import".to_owned());
    }
    parser.name("import_id", &import_id);
    if let Some(fault) = remark_fault(&source) {
        parser.refuse("source", fault);
    }
    if !(1..=RECORDS_MAX as usize).contains(&records.len()) {
        parser.refuse("records", format!("{} are outside 1 to {RECORDS_MAX}", records.len()));
    }
    parser.done()?;
    let mut lines = HashMap::new();
    for (index, record) in records.iter().enumerate() {
        let fault = match lines.insert(record.line, index) {
            _ if record.line == 0 => Some(("line", "required; lines count from 1".to_owned())),
            Some(first) => Some(("line", format!("{} is also that of records[{first}]", record.line))),
            None => remark_fault(&record.note).map(|fault| ("note", fault)),
        };
        if let Some((field, fault)) = fault {
            return Err(ServiceError::Invalid(Invalid(vec![(format!("records[{index}].{field}").into(), fault)])));
        }
    }
    Ok((Import { import_id, source, dry_run }, records))
}

/// The records of a call, which several threads examine.
#[derive(Debug)]
struct Work {
    records: Vec<pb::ImportRecord>,
    /// The index of the record to begin next.
    next: AtomicUsize,
    /// When the first record was begun.
    begun: OnceLock<Duration>,
    results: Mutex<Vec<Option<Examined>>>,
    clock: Arc<dyn Clock>,
    settings: Arc<Settings>,
}

impl Work {
    fn new(records: Vec<pb::ImportRecord>, clock: Arc<dyn Clock>, settings: Arc<Settings>) -> Self {
        let results = Mutex::new(records.iter().map(|_| None).collect());
        Self { records, next: AtomicUsize::new(0), begun: OnceLock::new(), results, clock, settings }
    }

    /// Examines records until none is left or the time is over. The first record is begun in any case.
    fn run(&self, cancel: &Cancel) -> Result<(), ServiceError> {
        let begun = *self.begun.get_or_init(|| self.clock.elapsed());
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(record) = self.records.get(index) else { return Ok(()) };
            if index > 0 && self.clock.elapsed().saturating_sub(begun) >= BEGIN_FOR {
                return Ok(());
            }
            let found = found(record, &self.settings.limits, cancel)?;
            let examined = Examined { line: record.line, note: record.note.clone(), found };
            self.results.lock().unwrap_or_else(PoisonError::into_inner)[index] = Some(examined);
        }
    }

    /// The results of the records that were begun.
    fn results(&self) -> Result<Vec<Examined>, ServiceError> {
        let mut all = std::mem::take(&mut *self.results.lock().unwrap_or_else(PoisonError::into_inner));
        let begun = all.iter().position(Option::is_none).unwrap_or(all.len());
        if all.drain(begun..).flatten().next().is_some() {
            return Err(ServiceError::Internal("a record of an import was not examined".to_owned()));
        }
        Ok(all.into_iter().flatten().collect())
    }
}

/// The puzzle of a record, or why the record cannot be stored.
///
/// # Errors
/// [`ServiceError::CallerGone`].
fn found(
    record: &pb::ImportRecord,
    limits: &Limits,
    cancel: &Cancel,
) -> Result<Result<ProvedPuzzle, Refused>, ServiceError> {
    let refused = |reason, fault| Ok(Err(Refused { reason, fault, other: None }));
    let kind = match record_kind(record, limits) {
        Ok(kind) => kind,
        Err(fault) => return refused(Reason::Unreadable, fault),
    };
    let (search_nodes_max, rating_nodes_max) = (limits.max_search_nodes, limits.rating_nodes_max());
    match prove(kind, &record.variant, &record.text, ProofLimits { search_nodes_max, rating_nodes_max, cancel }) {
        Ok(Proved { variant, symmetry, made }) => {
            let (kind, difficulty) = (kind.name().to_owned(), Difficulty::Any);
            Ok(Ok(ProvedPuzzle {
                spec: Spec { kind, variant, symmetry, difficulty, givens: None, technique: None },
                made,
            }))
        }
        Err(Unfit::Unreadable(fault)) => refused(Reason::Unreadable, fault),
        Err(Unfit::NoSolution(fault)) => refused(Reason::NoSolution, fault),
        Err(Unfit::Several(fault)) => refused(Reason::Several, fault),
        Err(Unfit::Unrated(fault)) => refused(Reason::Unrated, fault),
        Err(Unfit::TooNew(fault)) => refused(Reason::TooNew, fault),
        Err(Unfit::SolversDisagree(disagreement)) => {
            let error = ServiceError::SolversDisagree(disagreement);
            error.log();
            refused(Reason::Unrated, error.to_string())
        }
        Err(Unfit::Cancelled) => Err(ServiceError::CallerGone),
    }
}

/// The kind of a record, or why the record cannot be read.
fn record_kind(record: &pb::ImportRecord, limits: &Limits) -> Result<&'static dyn PuzzleKind, String> {
    let mut parser = Parser::default();
    parser.is_short("text", &record.text, limits);
    let kind = parser.required_kind(record.kind);
    parser.done_with(kind).map_err(|error| error.to_string())
}

/// The response for the records that a call began.
fn imported(examined: &[Examined], outcomes: Vec<Outcome>) -> pb::ImportPuzzlesResponse {
    let outside_style = outside_style(examined, &outcomes).into_iter().map(outside).collect();
    pb::ImportPuzzlesResponse { results: outcomes.into_iter().map(result).collect(), outside_style }
}

fn result(Outcome { line, stored }: Outcome) -> pb::ImportResult {
    match stored {
        Ok(id) => pb::ImportResult {
            line,
            puzzle_id: id.map(|id| id.to_string()).unwrap_or_default(),
            ..pb::ImportResult::default()
        },
        Err(refused) => pb::ImportResult {
            line,
            refusal: refusal(refused.reason).into(),
            detail: refused.fault,
            puzzle_id: String::new(),
            other_id: refused.other.and_then(|other| other.id).map(|id| id.to_string()).unwrap_or_default(),
            other_line: refused.other.and_then(|other| other.line).unwrap_or_default(),
        },
    }
}

fn refusal(reason: Reason) -> pb::ImportRefusal {
    match reason {
        Reason::Unreadable => pb::ImportRefusal::Unreadable,
        Reason::NoSolution => pb::ImportRefusal::NoSolution,
        Reason::Several => pb::ImportRefusal::Several,
        Reason::Unrated => pb::ImportRefusal::Unrated,
        Reason::TooNew => pb::ImportRefusal::TooNew,
        Reason::Known => pb::ImportRefusal::Known,
        Reason::Isomorph => pb::ImportRefusal::Isomorph,
        Reason::SameSolution => pb::ImportRefusal::SameSolution,
        Reason::Barred => pb::ImportRefusal::Barred,
        Reason::NoShelf => pb::ImportRefusal::NoShelf,
        Reason::LineTaken => pb::ImportRefusal::LineTaken,
    }
}

fn outside(of: OutsideStyle) -> pb::ImportedOutsideStyle {
    pb::ImportedOutsideStyle {
        kind: kind(&of.kind).into(),
        variant: of.variant,
        level: level(of.level).into(),
        count: of.count,
        min_givens: of.min_givens.into(),
        max_givens: of.max_givens.into(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicU64;

    use super::*;
    use puzzled_base::clock::Millis;

    const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

    /// A clock on which each reading takes some seconds.
    #[derive(Debug)]
    struct SlowClock {
        readings: AtomicU64,
        step: Duration,
    }

    impl Clock for SlowClock {
        fn now(&self) -> Millis {
            Millis(0)
        }

        fn elapsed(&self) -> Duration {
            let readings = self.readings.fetch_add(1, Ordering::Relaxed);
            self.step * u32::try_from(readings).unwrap()
        }
    }

    fn work(step_seconds: u64, texts: &[&str]) -> Work {
        let record = |(line, text): (u32, &&str)| pb::ImportRecord {
            line,
            kind: pb::Kind::Sudoku.into(),
            text: (*text).to_owned(),
            ..pb::ImportRecord::default()
        };
        let clock = SlowClock { readings: AtomicU64::new(0), step: Duration::from_secs(step_seconds) };
        Work::new((1..).zip(texts).map(record).collect(), Arc::new(clock), Arc::new(Settings::default()))
    }

    #[test]
    fn no_record_is_begun_after_ten_seconds_except_the_first() {
        for (step_seconds, begun) in [(0, 6), (2, 5), (4, 3), (9, 2), (10, 1), (100, 1)] {
            let work = work(step_seconds, &[PUZZLE; 6]);
            for _ in 0..2 {
                work.run(&Cancel::new(false)).unwrap();
            }
            let lines: Vec<_> = work.results().unwrap().iter().map(|examined| examined.line).collect();
            assert_eq!(lines, (1..=begun).collect::<Vec<_>>(), "{step_seconds} s a record");
        }
    }

    #[test]
    fn examined_record_is_a_puzzle_or_has_a_reason() {
        let work = work(0, &[PUZZLE, "1"]);
        work.run(&Cancel::new(false)).unwrap();
        let [puzzle, fault] = &work.results().unwrap()[..] else { panic!("two records") };
        let found = puzzle.found.as_ref().unwrap();
        assert_eq!((found.spec.words().as_str(), found.made.givens), ("sudoku|9x9|rotation180|any|any", 30));
        let unreadable = "1 cell; the puzzle must have exactly 81".to_owned();
        assert_eq!(fault.found, Err(Refused { reason: Reason::Unreadable, fault: unreadable, other: None }));
    }

    #[test]
    fn work_ends_when_the_caller_is_gone() {
        let work = work(0, &["..5...2......8...9.6..4.............61......4.....73....72.3......5......8.....91"]);
        assert!(matches!(work.run(&Cancel::new(true)), Err(ServiceError::CallerGone)));
    }

    #[test]
    fn record_that_no_thread_finished_is_no_silent_loss() {
        let work = work(0, &[PUZZLE, PUZZLE]);
        work.next.store(1, Ordering::Relaxed);
        work.run(&Cancel::new(false)).unwrap();
        assert!(matches!(work.results(), Err(ServiceError::Internal(_))));
    }
}
