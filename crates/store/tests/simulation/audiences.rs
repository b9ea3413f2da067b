//! Simulates deliveries and daily puzzles under faults, and checks that the database has each delivery that a reply
//! reported, and none twice. At the end, each audience gets the rest of the stock.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use jiff::civil::Date;
use puzzled_base::ids::PuzzleId;
use puzzled_engine::shared::criteria::Criteria;
use puzzled_store::{
    deliveries::{
        choose::FittingShelves,
        delivery::{Delivered, DrawFrom, NewDelivery, request_name},
    },
    series::{
        calendar::after,
        daily_series::{Series, SeriesWish, Zone},
        day::{DayDelivery, DayDrawn, NewDay},
        update::SeriesCreated,
    },
    stock::{filter::ShelfFilter, stated::ANY_VARIANT},
};

use crate::{
    chaos::Simulation,
    faults::Ended,
    state::{PuzzleRow, State},
    support::{caller, other_level, request, spec},
};

const AUDIENCES: [&str; 2] = ["one", "other"];

/// Request IDs that the callers of an audience choose from: few, so that many requests are repeats.
const NAMES: u64 = 40;

/// Days of the series whose puzzles callers request.
const DAYS: u64 = 6;

/// The name of the series.
const SERIES: &str = "daily";

/// Limit on the callers of one write.
const CALLERS_MAX: u64 = 4;

/// Limit on the writes that deliver the rest of the stock.
const WRITES_MAX: u64 = 10_000;

/// Steps that request daily puzzles, withdraw them, and request them again.
const DAY_STEPS: u32 = 60;

/// The answers that the callers received.
#[derive(Debug, Default)]
pub(crate) struct Audiences {
    /// The puzzle of each audience and request ID.
    named: BTreeMap<(String, String), PuzzleId>,
    /// Puzzles that were delivered without a request ID, or whose request ID now has another puzzle.
    unnamed: BTreeSet<(String, PuzzleId)>,
    /// The puzzle of each day.
    days: BTreeMap<Date, PuzzleId>,
    /// Daily puzzles that were recorded for an audience, or whose solution it had.
    daily: BTreeSet<(String, PuzzleId)>,
    /// Puzzles that a caller withdrew or the store replaced, and those of which this is unknown.
    withdrawn: BTreeSet<PuzzleId>,
}

impl Audiences {
    /// Records the replies of one write.
    fn told_all(&mut self, wanted: &[NewDelivery], delivered: &[Delivered]) {
        for (wanted, delivered) in wanted.iter().zip(delivered) {
            self.told(wanted, delivered);
        }
    }

    /// Records the reply to a request for a day: only a withdrawn puzzle gives way to another one.
    fn told_day(&mut self, date: Date, drawn: &DayDrawn) -> Option<PuzzleId> {
        let known = self.days.get(&date).copied();
        let gave_way = known.is_none_or(|known| self.withdrawn.contains(&known));
        match drawn {
            DayDrawn::New(puzzle) if gave_way => self.days.insert(date, puzzle.id),
            DayDrawn::Same(puzzle) if gave_way || known == Some(puzzle.id) => self.days.insert(date, puzzle.id),
            DayDrawn::Exhausted | DayDrawn::Unlucky if gave_way => return None,
            other => panic!("{other:?} for {date}, which was told {known:?}"),
        };
        self.days.get(&date).copied()
    }

    /// Records a reply: it may contradict no earlier one, and deliver no puzzle again.
    fn told(&mut self, wanted: &NewDelivery, delivered: &Delivered) {
        let audience = wanted.audience.clone();
        let Some(name) = wanted.name.as_ref().map(request_name) else {
            match delivered {
                Delivered::New(puzzle) => self.is_new(&audience, puzzle.id, None),
                Delivered::Exhausted | Delivered::Unlucky => {}
                other => panic!("{other:?} for {wanted:?}"),
            }
            return;
        };
        let known = self.named.get(&(audience.clone(), name.clone())).copied();
        let gave_way = known.is_none();
        match delivered {
            Delivered::New(puzzle) if gave_way => self.is_new(&audience, puzzle.id, Some(name)),
            Delivered::Same(puzzle) if gave_way || known == Some(puzzle.id) => self.has_name(audience, name, puzzle.id),
            Delivered::Exhausted | Delivered::Unlucky if gave_way => {}
            other => panic!("{other:?} for {wanted:?}, which was told {known:?}"),
        }
    }

    fn is_new(&mut self, audience: &str, id: PuzzleId, name: Option<String>) {
        assert!(!self.had(audience).contains(&id), "{audience} received {id} again");
        match name {
            Some(name) => self.has_name(audience.to_owned(), name, id),
            None => assert!(self.unnamed.insert((audience.to_owned(), id))),
        }
    }

    /// Gives the request ID another puzzle. The puzzle that it had before stays delivered.
    fn has_name(&mut self, audience: String, name: String, id: PuzzleId) {
        if let Some(before) = self.named.insert((audience.clone(), name), id).filter(|before| *before != id) {
            self.unnamed.insert((audience, before));
        }
    }

    /// The puzzles that replies gave to an audience, without daily ones.
    fn own(&self, audience: &str) -> BTreeSet<PuzzleId> {
        let named = self.named.iter().filter(|((of, _), _)| of == audience).map(|(_, id)| *id);
        named.chain(self.unnamed.iter().filter(|(of, _)| of == audience).map(|(_, id)| *id)).collect()
    }

    /// The puzzles that replies gave to an audience.
    fn had(&self, audience: &str) -> BTreeSet<PuzzleId> {
        let daily = self.daily.iter().filter(|(with, _)| with == audience).map(|(_, id)| *id);
        self.own(audience).into_iter().chain(daily).collect()
    }
}

impl Simulation {
    /// Several callers ask at once, some with a request ID that was used before. One in three times, a caller asks for the puzzle
    /// of a day instead.
    pub(crate) async fn deliver(&mut self) {
        if self.rng.below(3) == 0 {
            self.ask_for_a_day().await;
            self.check_deliveries().await;
            return;
        }
        let process = self.any_process();
        let store = Arc::clone(&self.processes[process].store);
        // Counts may be stale. Here they are as stale as possible, since processes do not read them again under faults.
        let among = Arc::new(FittingShelves::of(&self.eyes.store.shelves().await.unwrap(), &ShelfFilter::ANY));
        let mut wanted: Vec<NewDelivery> = Vec::new();
        for _ in 0..=self.rng.below(CALLERS_MAX) {
            let new = self.wish(&among);
            // If two requests of one write want the same, the second may have to ask again. The conformance suite tests that.
            if new.name.is_none()
                || wanted.iter().all(|other| (&other.audience, &other.name) != (&new.audience, &new.name))
            {
                wanted.push(new);
            }
        }
        if let Ended::Replied(delivered) = self.faults.call(store.deliver(&wanted)).await {
            self.audiences.told_all(&wanted, &delivered);
        }
        self.check_deliveries().await;
    }

    /// A caller asks for the puzzle of a day, for an audience.
    async fn ask_for_a_day(&mut self) {
        let series = self.series().await;
        let process = self.any_process();
        let store = Arc::clone(&self.processes[process].store);
        let days = i64::try_from(self.rng.below(DAYS)).unwrap();
        let date = after(series.terms[0].effective_date, days);
        let fitting = series.filter_on(date).unwrap();
        let among = Some(Arc::new(FittingShelves::of(&self.eyes.store.shelves().await.unwrap(), &fitting)));
        let new = NewDay { series_id: series.id, date, fitting, among, seed: self.rng.next_u64() };
        let Ended::Replied(drawn) = self.faults.call(store.draw_day(&new)).await else { return };
        let withdrawn = self.eyes.look().await.puzzles.into_iter().filter(|row| !row.is_live);
        self.audiences.withdrawn.extend(withdrawn.map(|row| PuzzleId(row.id)));
        let Some(puzzle_id) = self.audiences.told_day(date, &drawn) else { return };
        let audience = AUDIENCES[self.rng.index(AUDIENCES.len())].to_owned();
        let delivery = DayDelivery { audience: audience.clone(), series: series.name, date, puzzle_id };
        if let Ended::Replied(_) = self.faults.call(store.deliver_days(&[delivery])).await {
            self.audiences.daily.insert((audience, puzzle_id));
        }
    }

    /// The series. The first call creates it, without faults.
    async fn series(&mut self) -> Series {
        let store = &self.eyes.store;
        if let Some(series) = store.series(SERIES).await.unwrap() {
            return series;
        }
        // The days have different variants, so that the series has several.
        let puzzled_engine::shared::spec::Spec { kind, variant, .. } = spec();
        let of = |variant| Criteria { kind: Some(kind.clone()), variant: Some(variant), ..Criteria::default() };
        let days = [vec![of(ANY_VARIANT.to_owned()); 4], vec![of(variant); 3]].concat();
        let wish = SeriesWish { name: SERIES.to_owned(), zone: Zone::named("UTC").unwrap(), days };
        match store.create_series(&wish, None, &caller("CreateDailySeries")).await.unwrap() {
            SeriesCreated::Created(series) => series,
            other => panic!("{other:?}"),
        }
    }

    fn wish(&mut self, among: &Arc<FittingShelves>) -> NewDelivery {
        let audience = AUDIENCES[self.rng.index(AUDIENCES.len())].to_owned();
        let (name, seed) = (self.rng.below(NAMES).to_string(), self.rng.next_u64());
        let plain = NewDelivery {
            audience,
            name: None,
            from: DrawFrom::Shelves(Arc::clone(among)),
            with_record: seed % 2 == 0,
            seed,
        };
        match self.rng.below(2) {
            0 => plain,
            _ => NewDelivery { name: Some(request(&name, "")), ..plain },
        }
    }

    /// After all work has ended, requests daily puzzles, withdraws them, and requests them again, under faults.
    pub(crate) async fn live_through_days(&mut self) {
        self.faults.begin();
        for _ in 0..DAY_STEPS {
            match self.rng.below(8) {
                0..2 => self.withdraw_the_puzzle_of_a_day().await,
                2 => self.kill_a_process().await,
                3 => self.ask_otherwise().await,
                _ => self.deliver().await,
            }
        }
        self.faults.end();
    }

    async fn withdraw_the_puzzle_of_a_day(&mut self) {
        let dailies: Vec<_> = self.audiences.days.values().copied().collect();
        if dailies.is_empty() {
            return;
        }
        let (id, process) = (dailies[self.rng.index(dailies.len())], self.any_process());
        // Without a reply, it is unknown whether the puzzle is withdrawn.
        self.audiences.withdrawn.insert(id);
        self.faults.call(self.processes[process].store.withdraw(id, "a misprint", &caller("WithdrawPuzzle"))).await;
    }

    /// A different request with a known request ID gets an error that names the difference.
    async fn ask_otherwise(&mut self) {
        let known = self.audiences.named.iter().filter_map(|((audience, name), id)| {
            Some((audience.clone(), name.strip_prefix("request ")?.to_owned(), *id))
        });
        let known: Vec<_> = known.collect();
        if known.is_empty() {
            return;
        }
        let (audience, name, puzzle) = known[self.rng.index(known.len())].clone();
        let name = Some(request(&name, "hard"));
        let wanted = [NewDelivery { audience, name, ..self.wish(&Arc::default()) }];
        let process = self.any_process();
        if let Ended::Replied(told) = self.faults.call(self.processes[process].store.deliver(&wanted)).await {
            assert_eq!(told, [Delivered::OtherRequest { puzzle, differs: other_level("hard", "") }]);
        }
    }

    /// The database has every delivery of the replies, and none twice. For each day, an audience has at most one puzzle. A day has
    /// the puzzle that a reply told, unless it was withdrawn.
    async fn check_deliveries(&mut self) {
        let state = self.eyes.look().await;
        let repeat_hashes: BTreeMap<_, _> = state.puzzles.iter().map(|row| (row.id, &row.repeat_hash)).collect();
        for day in self.eyes.store.days(Date::MIN).await.unwrap() {
            let told = self.audiences.days.get(&day.date);
            let is_same = told.is_none_or(|told| *told == day.puzzle_id || self.audiences.withdrawn.contains(told));
            assert!(is_same, "{day:?}, but a reply told {told:?}");
        }
        for audience in AUDIENCES {
            let listed = self.eyes.store.deliveries(audience, None, u32::MAX).await.unwrap();
            let ids: BTreeSet<_> = listed.iter().filter_map(|delivery| delivery.puzzle_id).collect();
            assert_eq!(ids.len(), listed.len(), "{audience} got a puzzle twice: {listed:?}");
            let lost: Vec<_> = self.audiences.own(audience).difference(&ids).copied().collect();
            assert!(lost.is_empty(), "a reply delivered {lost:?} to {audience}, but the database has no record");
            let had: BTreeSet<_> = ids.iter().map(|id| repeat_hashes[&id.0]).collect();
            let lost: Vec<_> =
                self.audiences.had(audience).into_iter().filter(|id| !had.contains(repeat_hashes[&id.0])).collect();
            assert!(lost.is_empty(), "{audience} got the daily puzzles {lost:?}, but the database has no record");
            let mut days = BTreeMap::new();
            for date in listed.iter().filter_map(|delivery| delivery.date.as_ref()) {
                *days.entry(date).or_insert(0) += 1;
            }
            assert!(days.values().all(|&puzzles| puzzles == 1), "{audience:?}: {days:?}");
        }
    }

    /// Cursors, swaps, and deliveries agree.
    pub(crate) async fn check_all_deliveries(&mut self) {
        self.check_deliveries().await;
        assert_eq!(self.eyes.store.check().await.unwrap(), [] as [String; 0]);
    }

    /// Every audience gets all puzzles in circulation that it has not had.
    pub(crate) async fn deliver_the_rest(&mut self, state: &State) {
        let among = Arc::new(FittingShelves::of(&state.shelves, &ShelfFilter::ANY));
        for audience in AUDIENCES {
            let is_drained = self.drain(audience, &among).await;
            assert!(is_drained, "{audience} did not get the rest of the stock within {WRITES_MAX} writes");
            let listed = self.eyes.store.deliveries(audience, None, u32::MAX).await.unwrap();
            let ids: BTreeSet<_> = listed.iter().filter_map(|delivery| Some(delivery.puzzle_id?.0)).collect();
            let had: BTreeSet<_> =
                state.puzzles.iter().filter(|row| ids.contains(&row.id)).map(|row| &row.repeat_hash).collect();
            assert_eq!(had.len(), ids.len(), "{audience} got a solution twice");
            let placed = |row: &&PuzzleRow| row.position.is_some();
            let mut live = state.puzzles.iter().filter(placed).filter(|row| row.is_live);
            let missed = live.find(|row| !had.contains(&row.repeat_hash));
            assert!(missed.is_none(), "{audience} never got {missed:?}");
            let held =
                state.puzzles.iter().filter(|row| !placed(row) && !row.is_of_series).find(|row| ids.contains(&row.id));
            assert!(held.is_none(), "{audience} got {held:?}, which another audience holds");
        }
        self.check_all_deliveries().await;
    }

    async fn drain(&mut self, audience: &str, among: &Arc<FittingShelves>) -> bool {
        for seed in 0..WRITES_MAX {
            let wanted = NewDelivery {
                audience: audience.to_owned(),
                name: None,
                from: DrawFrom::Shelves(Arc::clone(among)),
                with_record: false,
                seed,
            };
            let wanted = vec![wanted; 16];
            let delivered = self.processes[0].store.deliver(&wanted).await.unwrap();
            self.audiences.told_all(&wanted, &delivered);
            if delivered.contains(&Delivered::Exhausted) {
                return true;
            }
        }
        false
    }
}
