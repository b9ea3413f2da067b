//! One write that delivers to several callers. It answers known requests, and draws for each other caller until it finds
//! a puzzle that the audience has not had. `DeliveryWrite` has its reads and writes.

use std::collections::HashMap;

use async_trait::async_trait;

use crate::{
    StoreError,
    deliveries::{
        choose::DrawIndex,
        delivery::{Delivered, DrawFrom, NewDelivery, request_name},
        shuffle::{AudienceStates, Draw, DrawnPosition},
    },
    jobs::repeat::{Fields, as_json, differences},
    sql::{
        database::{Columns, Write, id},
        statement::values,
        statements::deliver,
    },
    stock::{
        filter::ShelfFilter,
        puzzle::{Position, Puzzle, ShelfId},
        stock_store::puzzle_of,
    },
};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::shared::rng::Rng;

/// The maximum number of draws for one caller. If half of the draws find nothing, one caller in four billion needs
/// [`Batch::serve_from_few`].
pub(crate) const ROUNDS_MAX: usize = 32;

/// The maximum number of puzzles from which [`Batch::serve_from_few`] and
/// [`serve_from_held`](crate::deliveries::held::serve_from_held) choose. The limit keeps the delay of other writes
/// short.
pub(crate) const FEW_MAX: u32 = 20_000;

/// The callers of one write.
#[derive(Default)]
pub(crate) struct Batch<'a> {
    requests: &'a [NewDelivery],
    /// The audiences, with the cursors that moved.
    pub(crate) states: AudienceStates,
    answers: Vec<Option<Delivered>>,
    rngs: Vec<Rng>,
    /// If an earlier caller has the same audience and name, the index of that caller. Both get the same answer.
    twins: Vec<Option<usize>>,
    pub(crate) rows: Vec<Row<'a>>,
}

impl<'a> Batch<'a> {
    pub(crate) fn of(requests: &'a [NewDelivery], states: AudienceStates) -> Self {
        let mut first = HashMap::new();
        let twins = requests.iter().enumerate().map(|(at, new)| {
            let name = &new.name.as_ref()?.request_id;
            let leader = *first.entry((&new.audience, name)).or_insert(at);
            (leader != at).then_some(leader)
        });
        Self {
            requests,
            states,
            twins: twins.collect(),
            answers: vec![None; requests.len()],
            rngs: requests.iter().map(|new| Rng::from_seed(new.seed)).collect(),
            ..Self::default()
        }
    }

    /// Answers the callers whose name is known.
    pub(crate) async fn know(&mut self, write: &mut (impl Write + DeliveryWrite)) -> Result<(), StoreError> {
        let names = self
            .requests
            .iter()
            .enumerate()
            .filter_map(|(at, new)| Some((at, self.states.id(&new.audience)?, request_name(new.name.as_ref()?))));
        let names: Vec<_> = names.collect();
        let existing = if names.is_empty() { Vec::new() } else { write.named(&names).await? };
        for Named { at, fields, puzzle_id } in existing {
            let Some(name) = self.requests[at].name.as_ref().filter(|_| self.twins[at].is_none()) else { continue };
            let differs = differences(&name.fields, &fields);
            self.answers[at] = Some(if differs.is_empty() {
                let puzzle = puzzle_of(write, "deliver.read_same", puzzle_id).await?;
                let corrupt = StoreError::Corrupt { table: "deliveries", column: "puzzle_id", id: puzzle_id.0 };
                Delivered::Same(Box::new(puzzle.ok_or(corrupt)?))
            } else {
                Delivered::OtherRequest { puzzle: puzzle_id, differs }
            });
        }
        Ok(())
    }

    /// Draws and takes an index for each caller without an answer. If nothing is left for a caller, answers it with
    /// [`Delivered::Exhausted`].
    pub(crate) fn draw(&mut self) -> Vec<Draw> {
        let mut draws = Vec::new();
        for (at, new) in self.requests.iter().enumerate() {
            if self.answers[at].is_some() || self.twins[at].is_some() {
                continue;
            }
            let DrawFrom::Shelves(choice) = &new.from else { continue };
            let state = self.states.of(&new.audience);
            match choice.index(|shelf_id| state.taken(shelf_id), &mut self.rngs[at]) {
                Some(index) => draws.push(Draw { at, index, first: state.take(index.shelf_id) }),
                None => self.answers[at] = Some(Delivered::Exhausted),
            }
        }
        draws
    }

    /// Takes the drawn indices out of the draw orders of the audiences. Returns the positions at these indices.
    pub(crate) async fn positions(
        &mut self,
        write: &mut impl DeliveryWrite,
        draws: &[Draw],
    ) -> Result<Vec<DrawnPosition>, StoreError> {
        let mut unread = Vec::new();
        for (at, index) in draws.iter().flat_map(|draw| [(draw.at, draw.index), (draw.at, draw.first)]) {
            let state = self.states.of(&self.requests[at].audience);
            unread.extend(state.id.filter(|_| state.has_to_read(index)).map(|id| (at, id, index)));
        }
        if !unread.is_empty() {
            for (at, index, position) in write.swaps(&unread).await? {
                self.states.of(&self.requests[at].audience).set_position(index, position);
            }
        }
        let positions = draws.iter().map(|&Draw { at, index, first }| {
            let state = self.states.of(&self.requests[at].audience);
            let position = Position { shelf_id: index.shelf_id, number: state.draw(index, first) };
            DrawnPosition { at, audience_id: state.id, position }
        });
        Ok(positions.collect())
    }

    /// Serves the callers whose draws all found nothing, because nearly all positions are empty. Chooses among the puzzles
    /// that the audience has not had, all with the same probability. Takes the draw index of the chosen one.
    pub(crate) async fn serve_from_few(&mut self, write: &mut (impl Write + DeliveryWrite)) -> Result<(), StoreError> {
        for (at, new) in self.requests.iter().enumerate() {
            if self.answers[at].is_some() || self.twins[at].is_some() {
                continue;
            }
            let DrawFrom::Shelves(choice) = &new.from else { continue };
            let id = self.states.id(&new.audience);
            let shelves: Vec<_> = choice.shelf_ids().map(|id| id.0).collect();
            let few =
                write.all("deliver.find_left", deliver::LEFT, values![shelves.clone(), id, FEW_MAX], position).await?;
            let state = self.states.of(&new.audience);
            if let Some(id) = id {
                for (index, position) in
                    write.all("deliver.read_all_swaps", deliver::ALL_SWAPS, values![shelves, id], swap).await?
                {
                    if state.has_to_read(index) {
                        state.set_position(index, position);
                    }
                }
            }
            let mut left = state.indices_of(&few);
            if left.is_empty() {
                self.answers[at] = Some(Delivered::Exhausted);
            }
            while !left.is_empty() && self.answers[at].is_none() {
                let chosen = self.below(at, left.len());
                let index = left.swap_remove(chosen);
                let first = self.states.of(&new.audience).take(index.shelf_id);
                let drawn = self.positions(write, &[Draw { at, index, first }]).await?;
                let puzzles = write.read_drawn(&drawn).await?;
                self.answer(puzzles);
                if index != first {
                    // The position at `first` is at `index` now.
                    left.iter_mut().filter(|left| **left == first).for_each(|left| *left = index);
                }
            }
        }
        Ok(())
    }

    /// The callers without an answer that draw from what their audience holds: index, audience, and filter of each.
    pub(crate) fn left_for_held(&self) -> Vec<(usize, &'a str, &'a ShelfFilter)> {
        let left = self.requests.iter().enumerate().filter_map(|(at, new)| match &new.from {
            DrawFrom::Held(shelves) => Some((at, new.audience.as_str(), shelves)),
            DrawFrom::Shelves(_) => None,
        });
        left.filter(|(at, ..)| self.answers[*at].is_none() && self.twins[*at].is_none()).collect()
    }

    /// Answers a caller with a puzzle that its audience holds, or with [`Delivered::Exhausted`].
    pub(crate) fn answer_from_held(&mut self, at: usize, drawn: Option<DrawnPuzzle>) {
        match drawn {
            Some(drawn) => {
                self.states.of(&self.requests[at].audience).note_held_delivery();
                self.answer(vec![drawn]);
            }
            None => self.answers[at] = Some(Delivered::Exhausted),
        }
    }

    /// Draws a number below `end` for a caller.
    pub(crate) fn below(&mut self, at: usize, end: usize) -> usize {
        usize::try_from(self.rngs[at].below(end as u64)).expect("an index fits")
    }

    /// Reads the records of the puzzles whose callers want them, and drops the others.
    pub(crate) async fn read_records(&mut self, write: &mut impl Write) -> Result<(), StoreError> {
        for (new, answer) in self.requests.iter().zip(&mut self.answers) {
            let Some(Delivered::New(puzzle) | Delivered::Same(puzzle)) = answer else { continue };
            if !new.with_record {
                puzzle.record = None;
            } else if puzzle.record.is_none() {
                let with_record = puzzle_of(write, "deliver.read_record", puzzle.id).await?;
                puzzle.record = with_record.and_then(|puzzle| puzzle.record);
            }
        }
        Ok(())
    }

    /// Answers the callers that drew a puzzle new to their audience.
    pub(crate) fn answer(&mut self, puzzles: Vec<DrawnPuzzle>) {
        for DrawnPuzzle { at, repeat_hash, puzzle } in puzzles {
            let new = &self.requests[at];
            // Two draws of one write may find puzzles with the same repeat hash.
            if self.states.of(&new.audience).note_repeat_hash(repeat_hash) {
                let name = new.name.as_ref().map(|name| (request_name(name), as_json(&name.fields)));
                self.rows.push(Row { audience: &new.audience, puzzle_id: puzzle.id, name });
                self.answers[at] = Some(Delivered::New(Box::new(puzzle)));
            }
        }
    }

    /// The answers, one per caller.
    pub(crate) fn into_answers(self) -> Vec<Delivered> {
        let fields = |at: usize| self.requests[at].name.as_ref().map(|name| &name.fields);
        let mut answers: Vec<_> = self.answers.into_iter().map(|answer| answer.unwrap_or(Delivered::Unlucky)).collect();
        for (at, leader) in self.twins.iter().enumerate() {
            let Some(leader) = *leader else { continue };
            let differs = fields(at).zip(fields(leader)).map_or(Vec::new(), |(sent, before)| differences(sent, before));
            answers[at] = match &answers[leader] {
                Delivered::New(puzzle) | Delivered::Same(puzzle) if differs.is_empty() => {
                    Delivered::Same(puzzle.clone())
                }
                Delivered::New(puzzle) | Delivered::Same(puzzle) => {
                    Delivered::OtherRequest { puzzle: puzzle.id, differs }
                }
                Delivered::Exhausted if differs.is_empty() => Delivered::Exhausted,
                // The name is still free, or another delivery holds it now; the next write finds out.
                _ => Delivered::Unlucky,
            };
        }
        answers
    }
}

fn position(row: &impl Columns) -> Result<Position, StoreError> {
    let number = row.integer("number")?.ok_or(sqlx::Error::RowNotFound)?;
    Ok(Position { shelf_id: ShelfId(id(row)?), number })
}

fn swap(row: &impl Columns) -> Result<(DrawIndex, i64), StoreError> {
    let Position { shelf_id, number } = position(row)?;
    let index = row.integer("draw_index")?.ok_or(sqlx::Error::RowNotFound)?;
    Ok((DrawIndex { shelf_id, index }, number))
}

/// The reads and writes of a delivery. Each method serves all callers at once, within the write that delivers.
#[async_trait]
pub(crate) trait DeliveryWrite: Send {
    /// Reads the audiences with their cursors. No other write can change them meanwhile.
    async fn states(&mut self, audiences: &[&str]) -> Result<AudienceStates, StoreError>;

    /// Returns the existing deliveries under the names of requests. Each name comes with the index of its caller and the
    /// row of its audience.
    async fn named(&mut self, names: &[(usize, i64, String)]) -> Result<Vec<Named>, StoreError>;

    /// Reads the positions at draw indices, where they differ from the index. Each draw index comes with the index of its
    /// caller and the row of its audience.
    async fn swaps(&mut self, unread: &[(usize, i64, DrawIndex)]) -> Result<Vec<(usize, DrawIndex, i64)>, StoreError>;

    /// Reads the puzzles at positions without their records, by caller. Leaves out withdrawn puzzles, and puzzles whose
    /// repeat hash the audience has. No other write can delete the puzzles meanwhile.
    async fn read_drawn(&mut self, drawn: &[DrawnPosition]) -> Result<Vec<DrawnPuzzle>, StoreError>;

    /// Writes deliveries, and the moved cursors of the audiences.
    async fn note(&mut self, states: &AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError>;
}

/// A puzzle that a caller drew, and whose repeat hash its audience lacks.
pub(crate) struct DrawnPuzzle {
    /// Index of the caller.
    pub(crate) at: usize,
    /// The repeat hash, in hexadecimal digits.
    pub(crate) repeat_hash: String,
    pub(crate) puzzle: Puzzle,
}

/// A delivery that already exists under the name of a caller's request.
pub(crate) struct Named {
    /// Index of the caller.
    pub(crate) at: usize,
    /// The fields of the request that the delivery answered.
    pub(crate) fields: Fields,
    pub(crate) puzzle_id: PuzzleId,
}

/// A delivery to be written.
#[derive(Debug, Clone)]
pub(crate) struct Row<'a> {
    pub(crate) audience: &'a str,
    pub(crate) puzzle_id: PuzzleId,
    /// The name and the fields of the request, if it has a name, as the database stores them.
    pub(crate) name: Option<(String, String)>,
}
