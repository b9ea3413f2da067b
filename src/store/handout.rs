//! Handing out, the same on every database: who draws what, and what the callers of one write mean for each other. What a
//! write has to read for that, the database answers as a [`Dealer`].

use std::collections::HashMap;

use async_trait::async_trait;

use super::{
    StoreError, choose,
    delivery::{Delivered, DeliveryName, NewDelivery, Slot},
    hand::Hands,
    puzzle::{Puzzle, PuzzleId},
};
use puzzled_engine::rng::Rng;

/// Slots that are drawn for one caller at most. Where nine of ten lead to nothing, one caller in a thousand is unlucky.
const ROUNDS_MAX: usize = 64;

/// A slot that was drawn for a caller.
#[derive(Debug)]
pub(super) struct Pick {
    /// Number of the caller.
    pub(super) at: usize,
    pub(super) slot: Slot,
    /// The first slot that was left; what stands there takes the drawn one's place.
    pub(super) first: Slot,
}

/// A puzzle that a caller drew, if its audience has not had its solution.
#[derive(Debug)]
pub(super) struct Dealt {
    /// Number of the caller.
    pub(super) at: usize,
    /// The solution's number, in hexadecimal digits.
    pub(super) grid: String,
    pub(super) puzzle: Puzzle,
}

/// A delivery.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub(super) audience: &'a str,
    pub(super) puzzle_id: PuzzleId,
    pub(super) name: Option<&'a DeliveryName>,
}

/// What a hand-out has to know, each answered for all callers at once and within the write that hands out.
#[async_trait]
pub(super) trait Dealer: Send {
    /// The audiences with their cursors, which no other write changes.
    async fn hands(&mut self, audiences: &[&str]) -> Result<Hands, StoreError>;

    /// What was handed out under the names that are known, with the numbers of the callers who ask under them.
    async fn known_names(
        &mut self,
        wanted: &[NewDelivery],
        hands: &Hands,
    ) -> Result<Vec<(usize, Delivered)>, StoreError>;

    /// Reads what stands in these slots of callers, where it is not known.
    async fn swaps(
        &mut self,
        wanted: &[NewDelivery],
        hands: &mut Hands,
        slots: &[(usize, Slot)],
    ) -> Result<(), StoreError>;

    /// Deals the slots that were drawn, and reads the puzzles of those that lead to one which the audience has not had, by
    /// caller.
    async fn deal(
        &mut self,
        wanted: &[NewDelivery],
        hands: &mut Hands,
        picks: &[Pick],
    ) -> Result<Vec<Dealt>, StoreError>;

    /// Writes deliveries, and how far the audiences have come.
    async fn note(&mut self, hands: &mut Hands, rows: &[Row<'_>]) -> Result<(), StoreError>;
}

/// What a hand-out came to, still to be written.
pub(super) struct HandedOut<'a> {
    /// One for each caller.
    pub(super) answers: Vec<Delivered>,
    /// How far the audiences have come.
    pub(super) hands: Hands,
    /// The deliveries.
    pub(super) rows: Vec<Row<'a>>,
}

impl HandedOut<'_> {
    /// Whether there is anything to be written.
    pub(super) fn changes_something(&self) -> bool {
        !self.rows.is_empty() || self.hands.any_taken()
    }
}

/// Finds a puzzle for each caller that its audience has not had.
pub(super) async fn hand_out<'a>(
    dealer: &mut impl Dealer,
    audiences: &[&str],
    wanted: &'a [NewDelivery],
) -> Result<HandedOut<'a>, StoreError> {
    let mut hands = dealer.hands(audiences).await?;
    let mut batch = Batch::of(wanted);
    for (at, known) in dealer.known_names(wanted, &hands).await? {
        batch.answers[at] = Some(known);
    }
    for _ in 0..ROUNDS_MAX {
        let picks = batch.draw(&mut hands);
        if picks.is_empty() {
            break;
        }
        let slots: Vec<_> = picks.iter().flat_map(|pick| [(pick.at, pick.slot), (pick.at, pick.first)]).collect();
        dealer.swaps(wanted, &mut hands, &slots).await?;
        let dealt = dealer.deal(wanted, &mut hands, &picks).await?;
        batch.answer(&mut hands, dealt);
    }
    let answers = batch.answers.into_iter().map(|answer| answer.unwrap_or(Delivered::Unlucky));
    let answers = answer_twins(wanted, &batch.twins, answers.collect());
    Ok(HandedOut { answers, hands, rows: batch.rows })
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
            match choose::slot(&hand.left(&new.among), &mut self.rngs[at]) {
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
