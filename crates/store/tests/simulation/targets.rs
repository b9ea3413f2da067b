//! Simulates configurations and callers that change stock targets, and compares the table with a model after every step.

use puzzled_base::ids::TargetId;
use puzzled_engine::shared::spec::Spec;
use puzzled_store::{
    access::actor::Actor,
    targets::{
        change::{Change, Edit},
        declaration::Declaration,
        target::{Schedule, StockTarget, TargetCreated, TargetUpdated, UpdateRefusal, Wish},
    },
};

use crate::{
    chaos::{PROCESSES, Simulation},
    faults::Ended,
    support::{self, caller},
    toy::Toy,
};

/// Limit on targets: so low that runs reach it often.
const TARGETS_MAX: u32 = 3;

/// The fields of a target that do not depend on when it was written: its spec, and who declares it.
type Row = (Wish, Option<String>);

/// The model of the table.
#[derive(Debug, Default)]
pub(crate) struct Targets {
    last: Vec<StockTarget>,
    /// The outcome of the current step, and whether a reply has confirmed it.
    next: Option<(Vec<Row>, bool)>,
}

impl Targets {
    /// Compares the table with the possible outcomes of the last step. With a reply, the step is done; without one, it is done or
    /// not.
    pub(crate) fn check(&mut self, now: &[StockTarget]) {
        let (before, found) = (rows(&self.last), rows(now));
        match self.next.take() {
            None => assert_eq!(found, before, "the targets changed without a call"),
            Some((after, true)) => assert_eq!(found, after, "the reply differs from the database"),
            Some((after, false)) => assert!(found == before || found == after, "{before:?}, {after:?}: {found:?}"),
        }
        for target in now {
            if let Some(last) = self.of(&target.wish.spec) {
                assert_eq!((last.id, last.created_at), (target.id, target.created_at), "{target:?} was created again");
            }
        }
        self.last = now.to_vec();
    }

    fn of(&self, spec: &Spec) -> Option<&StockTarget> {
        self.last.iter().find(|target| target.wish.spec == *spec)
    }

    fn note<T>(&mut self, after: Vec<Row>, ended: &Ended<T>) {
        self.next = Some((sorted(after), matches!(ended, Ended::Replied(_))));
    }
}

fn rows(targets: &[StockTarget]) -> Vec<Row> {
    sorted(targets.iter().map(|target| (target.wish.clone(), target.declared_by.clone())).collect())
}

fn sorted(mut rows: Vec<Row>) -> Vec<Row> {
    rows.sort_by_key(|(wish, _)| wish.spec.words());
    rows
}

/// The targets after a configuration has declared its own. If another configuration has declared one of them, nothing changes.
fn after_declaration(before: &[Row], name: &str, wishes: &[Wish]) -> Vec<Row> {
    let declares = |row: &Row| wishes.iter().any(|wish| wish.spec == row.0.spec);
    let is_of_another = |row: &&Row| row.1.as_deref().is_some_and(|by| by != name);
    if before.iter().filter(is_of_another).any(declares) {
        return before.to_vec();
    }
    let kept = before.iter().filter(|row| !declares(row) && row.1.as_deref() != Some(name)).cloned();
    let after: Vec<_> = kept.chain(wishes.iter().map(|wish| (wish.clone(), Some(name.to_owned())))).collect();
    let specs = |rows: &[Row]| sorted(rows.to_vec()).into_iter().map(|row| row.0.spec).collect::<Vec<_>>();
    let grows = specs(&after).iter().any(|spec| !specs(before).contains(spec));
    if grows && after.len() > TARGETS_MAX as usize { before.to_vec() } else { after }
}

/// The targets of the simulation: one without a schedule, one with a window that is open half of the time, one without
/// a low-water mark, and one that only callers create.
fn wishes() -> [Wish; 4] {
    let toys = [
        Toy { numbers: 400, skewed: true, misses: 30 },
        Toy { numbers: 300, skewed: true, misses: 60 },
        Toy { numbers: 60, skewed: false, misses: 20 },
        Toy { numbers: 90, skewed: false, misses: 10 },
    ];
    let schedule = Schedule { cron: "*/2 * * * *".to_owned(), time_zone: "UTC".to_owned(), window_minutes: 1 };
    let [always, nightly, seldom, by_call] = toys.map(|toy| Wish {
        // A space that jobs share: one job after the other adds puzzles to it.
        spec: Spec { variant: toy.variant(0), ..support::spec() },
        low_water: Some(20),
        count: 30,
        priority: 0,
        schedule: None,
    });
    let nightly = Wish { priority: 1, schedule: Some(schedule), ..nightly };
    [always, nightly, Wish { priority: 2, low_water: None, ..seldom }, Wish { priority: 3, ..by_call }]
}

impl Simulation {
    /// Every process starts and declares the targets of its configuration.
    pub(crate) async fn declare_by_all(&mut self) {
        for process in 0..PROCESSES {
            self.declare_by(process).await;
            self.look().await;
        }
    }

    /// A process starts and declares its targets. Two processes share a configuration, which may have changed or be empty.
    pub(crate) async fn declare_by(&mut self, process: usize) {
        let [always, nightly, seldom, _] = wishes();
        let name = if process == 1 { "night" } else { "day" };
        let declared = match (process, self.rng.below(8)) {
            (_, 0) => Vec::new(),
            (1, 1) | (0 | 2, 3) => vec![nightly, seldom],
            (1, 2) => vec![Wish { low_water: None, ..nightly }],
            (1, _) => vec![nightly],
            (_, 1) => vec![always],
            (_, 2) => vec![Wish { count: 25, ..always }, seldom],
            _ => vec![always, seldom],
        };
        let before = rows(&self.targets.last);
        let after = if declared.is_empty() { before } else { after_declaration(&before, name, &declared) };
        let declaration = Declaration::new(name.to_owned(), declared).unwrap();
        let (store, by) = (&self.processes[process].store, Actor::configuration("simulated"));
        let ended = self.faults.call(store.declare_targets(&declaration, TARGETS_MAX, &by)).await;
        if let Ended::Replied(Ok(changes)) = &ended {
            assert!(changes.iter().all(|declared| declared.of.declared_by.as_deref() == Some(name)));
        }
        self.targets.note(after, &ended);
    }

    /// A caller creates, changes or deletes a target.
    pub(crate) async fn change_a_target(&mut self) {
        let wish = wishes()[self.rng.index(4)].clone();
        match self.targets.of(&wish.spec).cloned() {
            None => self.create_a_target(wish).await,
            Some(known) if self.chance(4) => self.create_again(&known).await,
            Some(known) if self.chance(3) => self.delete_a_target(known.id).await,
            Some(known) => self.update_a_target(&known).await,
        }
    }

    async fn create_a_target(&mut self, wish: Wish) {
        let process = self.any_process();
        let before = rows(&self.targets.last);
        let (store, by) = (&self.processes[process].store, caller("CreateStockTarget"));
        let ended = self.faults.call(store.create_target(&wish, TARGETS_MAX, &by)).await;
        let is_full = before.len() >= TARGETS_MAX as usize;
        if let Ended::Replied(reply) = &ended {
            assert_eq!(matches!(reply, TargetCreated::TooMany { .. }), is_full, "{reply:?}");
        }
        let new = (!is_full).then_some((wish, None));
        self.targets.note(before.into_iter().chain(new).collect(), &ended);
    }

    async fn create_again(&mut self, known: &StockTarget) {
        let process = self.any_process();
        let (store, by) = (&self.processes[process].store, caller("CreateStockTarget"));
        let ended = self.faults.call(store.create_target(&known.wish, TARGETS_MAX, &by)).await;
        if let Ended::Replied(reply) = &ended {
            assert_eq!(*reply, TargetCreated::Exists(known.id));
        }
    }

    async fn delete_a_target(&mut self, id: TargetId) {
        let process = self.any_process();
        let left: Vec<_> = self.targets.last.iter().filter(|target| target.id != id).cloned().collect();
        let (store, by) = (&self.processes[process].store, caller("DeleteStockTarget"));
        let ended = self.faults.call(store.delete_target(id, &by)).await;
        self.targets.note(rows(&left), &ended);
    }

    async fn update_a_target(&mut self, known: &StockTarget) {
        let process = self.any_process();
        let target = 20 + u32::try_from(self.rng.below(15)).unwrap();
        let change = Change { count: Edit::Set(target), low_water: Edit::Reset, ..Change::default() };
        let (store, by) = (&self.processes[process].store, caller("UpdateStockTarget"));
        let ended = self.faults.call(store.update_target(known.id, &change, &by)).await;
        let mut after = self.targets.last.clone();
        if known.declared_by.is_none() {
            let changed = after.iter_mut().find(|target| target.id == known.id).unwrap();
            (changed.wish.count, changed.wish.low_water) = (target, None);
        }
        if let Ended::Replied(reply) = &ended {
            let is_declared = matches!(reply, TargetUpdated::Refused(UpdateRefusal::Declared(_)));
            assert_eq!(is_declared, known.declared_by.is_some(), "{reply:?}");
        }
        self.targets.note(rows(&after), &ended);
    }
}
