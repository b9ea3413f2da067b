//! What is handed out, to whom, and what was said of it: held against the file, and at the end against the whole stock.

use std::collections::{BTreeMap, BTreeSet};

use puzzled::store::{
    delivery::{Delivered, DeliveryName, NewDelivery},
    puzzle::PuzzleId,
};

use crate::{chaos::Simulation, faults::Ended, state::State, support::request};

const AUDIENCES: [&str; 2] = ["one", "other"];

/// Names that callers of an audience choose from, so that many ask again.
const NAMES: u64 = 40;

/// Callers of one write at most.
const CALLERS_MAX: u64 = 4;

/// Writes in which all that is left has to be handed out.
const WRITES_MAX: u64 = 10_000;

/// What the callers were told.
#[derive(Debug, Default)]
pub(crate) struct Audiences {
    /// By audience and name.
    named: BTreeMap<(String, String), PuzzleId>,
    /// Without a name.
    unnamed: BTreeSet<(String, PuzzleId)>,
}

impl Audiences {
    /// A reply has come: nothing that was said before may be unsaid by it, and nothing be handed out again.
    fn told(&mut self, wanted: &NewDelivery, delivered: &Delivered) {
        let audience = wanted.audience.clone();
        let Some(name) = wanted.name.as_ref().map(DeliveryName::column) else {
            match delivered {
                Delivered::New(puzzle) => self.is_new(&audience, puzzle.id, None),
                Delivered::Exhausted | Delivered::Unlucky => {}
                other => panic!("{other:?} for {wanted:?}"),
            }
            return;
        };
        let known = self.named.get(&(audience.clone(), name.clone())).copied();
        match (delivered, known) {
            (Delivered::New(puzzle), None) => self.is_new(&audience, puzzle.id, Some(name)),
            (Delivered::Same(puzzle), known) => {
                assert!(known.is_none_or(|known| known == puzzle.id), "{puzzle:?} is not {known:?}");
                self.named.insert((audience, name), puzzle.id);
            }
            (Delivered::Exhausted | Delivered::Unlucky, None) => {}
            (other, known) => panic!("{other:?} for {wanted:?}, which was told {known:?}"),
        }
    }

    fn is_new(&mut self, audience: &str, id: PuzzleId, name: Option<String>) {
        assert!(!self.had(audience).contains(&id), "{audience} was handed out {id} again");
        match name {
            Some(name) => assert_eq!(self.named.insert((audience.to_owned(), name), id), None),
            None => assert!(self.unnamed.insert((audience.to_owned(), id))),
        }
    }

    /// What an audience knows that it has had.
    fn had(&self, audience: &str) -> BTreeSet<PuzzleId> {
        let named = self.named.iter().filter(|((of, _), _)| of == audience).map(|(_, id)| *id);
        named.chain(self.unnamed.iter().filter(|(of, _)| of == audience).map(|(_, id)| *id)).collect()
    }
}

impl Simulation {
    /// Some callers ask at once, some of them under a name that was used before.
    pub(crate) async fn hand_out(&mut self) {
        let process = self.any_process();
        let store = std::sync::Arc::clone(&self.processes[process].store);
        // Counts may be old: here they are as old as can be, as none of the process is read under faults.
        let among: Vec<_> =
            self.eyes.store.shelves().await.unwrap().iter().map(|shelf| (shelf.id, shelf.positions)).collect();
        let mut wanted: Vec<NewDelivery> = Vec::new();
        for _ in 0..=self.rng.below(CALLERS_MAX) {
            let audience = AUDIENCES[self.rng.index(AUDIENCES.len())].to_owned();
            let name = self.rng.below(NAMES).to_string();
            let name = self.chance(2).then(|| DeliveryName::Request(request(&name, "")));
            // Of twins in one write the second may have to ask again; that is the store's own test.
            if name.is_none() || wanted.iter().all(|other| (&other.audience, &other.name) != (&audience, &name)) {
                wanted.push(NewDelivery { audience, name, among: among.clone(), seed: self.rng.next_u64() });
            }
        }
        if let Ended::Replied(delivered) = self.faults.call(store.deliver(&wanted)).await {
            for (wanted, delivered) in wanted.iter().zip(&delivered) {
                self.audiences.told(wanted, delivered);
            }
        }
        self.check_deliveries().await;
    }

    /// All that was said stands in the file, and nothing there twice.
    async fn check_deliveries(&mut self) {
        for audience in AUDIENCES {
            let listed = self.eyes.store.deliveries(audience, None, u32::MAX).await.unwrap();
            let ids: BTreeSet<_> = listed.iter().map(|delivery| delivery.puzzle_id).collect();
            assert_eq!(ids.len(), listed.len(), "{audience} has had a puzzle twice: {listed:?}");
            let lost: Vec<_> = self.audiences.had(audience).difference(&ids).copied().collect();
            assert!(lost.is_empty(), "{audience} was handed out {lost:?}, and the file does not know");
        }
    }

    /// Cursors, slots and deliveries agree.
    pub(crate) async fn look_at_hand_outs(&mut self) {
        self.check_deliveries().await;
        assert_eq!(self.eyes.store.audit().await.unwrap(), [] as [String; 0]);
    }

    /// Every audience gets what it has not had, to the last puzzle in circulation.
    pub(crate) async fn hand_out_all_that_is_left(&mut self, state: &State) {
        let among: Vec<_> = state.shelves.iter().map(|shelf| (shelf.id, shelf.positions)).collect();
        for audience in AUDIENCES {
            let is_drained = self.drain(audience, &among).await;
            assert!(is_drained, "{audience} is not done after {WRITES_MAX} writes");
            let listed = self.eyes.store.deliveries(audience, None, u32::MAX).await.unwrap();
            let ids: BTreeSet<_> = listed.iter().map(|delivery| delivery.puzzle_id.0).collect();
            let had: BTreeSet<_> =
                state.puzzles.iter().filter(|row| ids.contains(&row.id)).map(|row| &row.grid).collect();
            assert_eq!(had.len(), ids.len(), "{audience} has had a solution twice");
            let missed = state.puzzles.iter().find(|row| row.is_live && !had.contains(&row.grid));
            assert!(missed.is_none(), "{audience} never got {missed:?}");
        }
        self.look_at_hand_outs().await;
    }

    async fn drain(&mut self, audience: &str, among: &[(puzzled::store::puzzle::ShelfId, i64)]) -> bool {
        for seed in 0..WRITES_MAX {
            let wanted = NewDelivery { audience: audience.to_owned(), name: None, among: among.to_vec(), seed };
            let wanted = vec![wanted; 16];
            let delivered = self.processes[0].store.deliver(&wanted).await.unwrap();
            for (wanted, delivered) in wanted.iter().zip(&delivered) {
                self.audiences.told(wanted, delivered);
            }
            if delivered.contains(&Delivered::Exhausted) {
                return true;
            }
        }
        false
    }
}
