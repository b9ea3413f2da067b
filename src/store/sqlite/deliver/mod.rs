//! Handing out: for each of many callers a puzzle that its audience has not had, all in one write, so that many share the
//! wait for the disk. Statements cover all callers at once; what they say to each other is kept in memory between them.

mod hand;
mod reads;
mod writes;

use std::collections::HashMap;

use hand::Hands;
use reads::Dealt;
use writes::Row;

use super::SqliteStore;
use crate::{
    engine::rng::Rng,
    store::{
        StoreError,
        delivery::{Delivered, DeliveryName, NewDelivery, Slot},
    },
};

/// Slots that are drawn for one caller at most. Where nine of ten lead to nothing, one caller in a thousand is unlucky.
const ROUNDS_MAX: usize = 64;

/// A slot that was drawn for a caller.
struct Pick {
    /// Number of the caller.
    at: usize,
    slot: Slot,
    /// The first slot that was left; what stands there takes the drawn one's place.
    first: Slot,
}

impl SqliteStore {
    pub(super) async fn deliver_puzzles(&self, wanted: &[NewDelivery]) -> Result<Vec<Delivered>, StoreError> {
        let mut write = self.write("deliver.begin").await?;
        let mut hands = reads::hands(&mut write, wanted).await?;
        let mut batch = Batch::of(wanted);
        reads::known_names(&mut write, wanted, &hands, &mut batch.answers).await?;
        for _ in 0..ROUNDS_MAX {
            let picks = batch.draw(&mut hands);
            if picks.is_empty() {
                break;
            }
            let slots = picks.iter().flat_map(|pick| [(pick.at, pick.slot), (pick.at, pick.first)]);
            reads::swaps(&mut write, wanted, &mut hands, slots).await?;
            let dealt = reads::deal(&mut write, wanted, &mut hands, &picks).await?;
            batch.answer(&mut hands, dealt);
        }
        if !batch.rows.is_empty() || hands.any_taken() {
            writes::all(&mut write, hands, batch.rows).await?;
            write.commit("deliver.commit", "deliver.committed").await?;
        }
        let answers = batch.answers.into_iter().map(|answer| answer.unwrap_or(Delivered::Unlucky));
        Ok(answer_twins(wanted, &batch.twins, answers.collect()))
    }
}

/// The callers of one write.
struct Batch<'a> {
    wanted: &'a [NewDelivery],
    answers: Vec<Option<Delivered>>,
    rngs: Vec<Rng>,
    /// For a caller that asks under the same name as an earlier one, that one: whatever it gets is the answer.
    twins: Vec<Option<usize>>,
    rows: Vec<Row<'a>>,
}

impl<'a> Batch<'a> {
    fn of(wanted: &'a [NewDelivery]) -> Self {
        let mut first = HashMap::new();
        let twins = wanted.iter().enumerate().map(|(at, new)| {
            let name = new.name.as_ref()?.column();
            let leader = *first.entry((&new.audience, name)).or_insert(at);
            (leader != at).then_some(leader)
        });
        Self {
            wanted,
            twins: twins.collect(),
            answers: vec![None; wanted.len()],
            rngs: wanted.iter().map(|new| Rng::from_seed(new.seed)).collect(),
            rows: Vec::new(),
        }
    }

    /// Draws a slot for each caller without an answer, and takes it; who finds nothing left is answered.
    fn draw(&mut self, hands: &mut Hands) -> Vec<Pick> {
        let mut picks = Vec::new();
        for (at, new) in self.wanted.iter().enumerate() {
            if self.answers[at].is_some() || self.twins[at].is_some() {
                continue;
            }
            let hand = hands.of(&new.audience);
            match (new.choose)(&hand.left(&new.among), &mut self.rngs[at]) {
                Some(slot) => picks.push(Pick { at, slot, first: hand.take(slot.shelf_id) }),
                None => self.answers[at] = Some(Delivered::Exhausted),
            }
        }
        picks
    }

    /// Answers those who drew a puzzle that their audience has not had.
    fn answer(&mut self, hands: &mut Hands, dealt: Vec<Dealt>) {
        for Dealt { at, grid, puzzle } in dealt {
            let new = &self.wanted[at];
            // Two slots of one write may hold the same solution.
            if hands.of(&new.audience).is_first(grid) {
                self.rows.push(Row { audience: &new.audience, puzzle_id: puzzle.id, name: new.name.as_ref() });
                self.answers[at] = Some(Delivered::New(Box::new(puzzle)));
            }
        }
    }
}

fn answer_twins(wanted: &[NewDelivery], twins: &[Option<usize>], mut answers: Vec<Delivered>) -> Vec<Delivered> {
    let body = |at: usize| wanted[at].name.as_ref().map(DeliveryName::body);
    for (at, leader) in twins.iter().enumerate() {
        let Some(leader) = *leader else { continue };
        answers[at] = match &answers[leader] {
            Delivered::New(puzzle) | Delivered::Same(puzzle) if body(at) == body(leader) => {
                Delivered::Same(puzzle.clone())
            }
            Delivered::New(puzzle) | Delivered::Same(puzzle) => Delivered::OtherRequest(puzzle.id),
            Delivered::Exhausted if body(at) == body(leader) => Delivered::Exhausted,
            // The name is still free, or its holder is another one; the next write finds out.
            _ => Delivered::Unlucky,
        };
    }
    answers
}
