//! Delivers puzzles to several callers in one write, the same way on both databases. A caller with a known request gets
//! the puzzle of that request. For each other caller, the write draws until it finds a puzzle that the audience has not
//! had. [`DeliveryWrite`] has the statements.

use std::collections::{HashMap, HashSet};

use async_trait::async_trait;

use serde_json::{Value, json};

use super::{
    StoreError,
    audience::AudienceStates,
    choose,
    database::{Sql, Write, number, values},
    delivery::{Delivered, DeliveryName, DrawIndex, NewDelivery},
    puzzle::{Puzzle, PuzzleId},
    repeat::{Fields, as_json, differences},
    shelves::puzzle_of,
};
use puzzled_engine::rng::Rng;

/// The maximum number of draws for one caller. If nine of ten draws find nothing, one caller in a thousand is unlucky.
const ROUNDS_MAX: usize = 64;

/// A draw index that was drawn for a caller.
#[derive(Debug)]
pub(super) struct Draw {
    /// Index of the caller.
    pub(super) at: usize,
    pub(super) index: DrawIndex,
    /// The first draw index not yet taken. Its position replaces the position at `index`.
    pub(super) first: DrawIndex,
}

/// A puzzle that a caller drew, if its audience has not had its solution.
#[derive(Debug)]
pub(super) struct DrawnPuzzle {
    /// Index of the caller.
    pub(super) at: usize,
    /// The hash of the solution's form, in hexadecimal digits.
    pub(super) grid: String,
    pub(super) puzzle: Puzzle,
}

/// A delivery that already exists under the name of a caller's request.
#[derive(Debug)]
pub(super) struct Named {
    /// Index of the caller.
    pub(super) at: usize,
    /// The fields of the request that the delivery answered.
    pub(super) fields: Fields,
    pub(super) puzzle_id: PuzzleId,
    /// The hash of the solution's form, in hexadecimal digits.
    pub(super) grid: String,
    /// Whether the puzzle is withdrawn.
    pub(super) is_withdrawn: bool,
}

/// A delivery to be written.
#[derive(Debug, Clone)]
pub(super) struct Row<'a> {
    pub(super) audience: &'a str,
    pub(super) puzzle_id: PuzzleId,
    /// The name and the fields of the request, if it has a name, as the database stores them.
    pub(super) name: Option<(String, String)>,
}

/// The reads and writes of a delivery. Each method serves all callers at once, within the write that
/// delivers.
#[async_trait]
pub(super) trait DeliveryWrite: Send {
    /// Reads the audiences with their cursors. No other write can change them meanwhile.
    async fn states(&mut self, audiences: &[&str]) -> Result<AudienceStates, StoreError>;

    /// Returns the existing deliveries under the names of requests, each with the index of the caller
    /// that uses the name.
    async fn named(&mut self, wanted: &[NewDelivery], states: &AudienceStates) -> Result<Vec<Named>, StoreError>;

    /// Reads the positions at these draw indices of callers, unless `states` has them.
    async fn swaps(
        &mut self,
        wanted: &[NewDelivery],
        states: &mut AudienceStates,
        indices: &[(usize, DrawIndex)],
    ) -> Result<(), StoreError>;

    /// Takes the drawn indices from the audiences' orders, and reads their puzzles, by caller. Leaves out withdrawn
    /// puzzles, and puzzles whose solution the audience has had.
    async fn read_drawn(
        &mut self,
        wanted: &[NewDelivery],
        states: &mut AudienceStates,
        draws: &[Draw],
    ) -> Result<Vec<DrawnPuzzle>, StoreError>;

    /// Writes deliveries, and the moved cursors of the audiences.
    async fn note(&mut self, states: &mut AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError>;
}

/// The result of a batch, not written yet.
pub(super) struct Outcome<'a> {
    /// One answer per caller.
    pub(super) answers: Vec<Delivered>,
    /// The audiences, with the cursors that moved.
    pub(super) states: AudienceStates,
    /// The deliveries to write.
    pub(super) rows: Vec<Row<'a>>,
    /// Audiences and names that move from earlier deliveries to these.
    released: Vec<(&'a str, String)>,
}

impl Outcome<'_> {
    pub(super) fn changes_something(&self) -> bool {
        !self.rows.is_empty() || self.states.any_taken()
    }

    /// Removes the names that move to new deliveries from the earlier deliveries, which stay as records.
    pub(super) async fn release_names<W: Write>(&self, write: &mut W) -> Result<(), StoreError> {
        let known = self.released.iter().filter_map(|(audience, name)| Some(json!([self.states.id(audience)?, name])));
        let names: Vec<_> = known.collect();
        if names.is_empty() {
            return Ok(());
        }
        let sql = Sql {
            sqlite: "update deliveries set name = null, fields = null
                     where id in (select deliveries.id
                                  from json_each($1) as old
                                  join deliveries on deliveries.audience_id = old.value ->> 0
                                                 and deliveries.name = old.value ->> 1)",
            postgres: "update deliveries set name = null, fields = null
                       from json_array_elements($1::json) as old (value)
                       where deliveries.audience_id = (old.value ->> 0)::bigint and deliveries.name = old.value ->> 1",
        };
        write.execute("deliver.release_names", sql, values![&Value::from(names).to_string()]).await?;
        Ok(())
    }
}

/// Finds, for each caller, a puzzle that its audience has not had.
pub(super) async fn deliver<'a>(
    write: &mut (impl DeliveryWrite + Write),
    audiences: &[&str],
    wanted: &'a [NewDelivery],
) -> Result<Outcome<'a>, StoreError> {
    let mut states = write.states(audiences).await?;
    let mut batch = Batch::of(wanted);
    let named = write.named(wanted, &states).await?;
    batch.know(write, &mut states, named).await?;
    for _ in 0..ROUNDS_MAX {
        let draws = batch.draw(&mut states);
        if draws.is_empty() {
            break;
        }
        let indices: Vec<_> = draws.iter().flat_map(|draw| [(draw.at, draw.index), (draw.at, draw.first)]).collect();
        write.swaps(wanted, &mut states, &indices).await?;
        let puzzles = write.read_drawn(wanted, &mut states, &draws).await?;
        batch.answer(&mut states, puzzles);
    }
    batch.record_shares(write, &mut states).await?;
    let answers = batch.answers.into_iter().map(|answer| answer.unwrap_or(Delivered::Unlucky));
    let answers = answer_twins(wanted, &batch.twins, answers.collect());
    Ok(Outcome { answers, states, rows: batch.rows, released: batch.released })
}

/// The callers of one write.
struct Batch<'a> {
    wanted: &'a [NewDelivery],
    answers: Vec<Option<Delivered>>,
    rngs: Vec<Rng>,
    /// If an earlier caller has the same audience and name, the index of that caller. Both get the same answer.
    twins: Vec<Option<usize>>,
    rows: Vec<Row<'a>>,
    /// Indices of callers that share their puzzle with another audience.
    sharers: Vec<usize>,
    /// Indices of callers whose name has a withdrawn puzzle. They get another puzzle.
    renewed: HashSet<usize>,
    released: Vec<(&'a str, String)>,
    /// Deliveries to audiences with which a puzzle is shared, unless they had its solution before this write.
    shares: Vec<Row<'a>>,
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
            sharers: (0..wanted.len()).filter(|&at| wanted[at].shared_with.is_some()).collect(),
            renewed: HashSet::new(),
            released: Vec::new(),
            shares: Vec::new(),
        }
    }

    /// Answers the callers whose name is known, and those that accept only a known name.
    async fn know(
        &mut self,
        write: &mut impl Write,
        states: &mut AudienceStates,
        named: Vec<Named>,
    ) -> Result<(), StoreError> {
        for Named { at, fields, puzzle_id, grid, is_withdrawn } in named {
            let Some(name) = self.wanted[at].name.as_ref().filter(|_| self.twins[at].is_none()) else { continue };
            let differs = differences(name.fields(), &fields);
            if !differs.is_empty() {
                self.answers[at] = Some(Delivered::OtherRequest { puzzle: puzzle_id, differs });
            } else if is_withdrawn && name.is_renewed() {
                self.renewed.insert(at);
            } else {
                let puzzle = puzzle_of(write, "deliver.read_same", puzzle_id).await?;
                let corrupt = StoreError::Corrupt { table: "deliveries", column: "puzzle_id", id: puzzle_id.0 };
                self.answers[at] = Some(Delivered::Same(Box::new(puzzle.ok_or(corrupt)?)));
                self.share(states, at, &grid, puzzle_id);
            }
        }
        for (at, new) in self.wanted.iter().enumerate() {
            if new.only_known && self.answers[at].is_none() && !self.renewed.contains(&at) {
                self.answers[at] = Some(Delivered::Unknown);
            }
        }
        Ok(())
    }

    /// Draws and takes an index for each caller without an answer. If nothing is left for a caller, answers it with
    /// [`Delivered::Exhausted`].
    fn draw(&mut self, states: &mut AudienceStates) -> Vec<Draw> {
        let mut draws = Vec::new();
        for (at, new) in self.wanted.iter().enumerate() {
            if self.answers[at].is_some() || self.twins[at].is_some() {
                continue;
            }
            let state = states.of(&new.audience);
            match choose::draw_index(&state.left(&new.among), &mut self.rngs[at]) {
                Some(index) => draws.push(Draw { at, index, first: state.take(index.shelf_id) }),
                None => self.answers[at] = Some(Delivered::Exhausted),
            }
        }
        draws
    }

    /// Answers the callers that drew a puzzle new to their audience.
    fn answer(&mut self, states: &mut AudienceStates, puzzles: Vec<DrawnPuzzle>) {
        for DrawnPuzzle { at, grid, puzzle } in puzzles {
            let new = &self.wanted[at];
            // Two draws of one write may find the same solution.
            if states.of(&new.audience).is_first(grid.clone()) {
                let name = new.name.as_ref().map(|name| (name.column(), as_json(name.fields())));
                if let Some((name, _)) = name.as_ref().filter(|_| self.renewed.contains(&at)) {
                    self.released.push((&new.audience, name.clone()));
                }
                self.rows.push(Row { audience: &new.audience, puzzle_id: puzzle.id, name });
                self.share(states, at, &grid, puzzle.id);
                self.answers[at] = Some(Delivered::New(Box::new(puzzle)));
            }
        }
    }

    /// Records the audiences with which a caller and its twins share a puzzle. The rest of this write gives these
    /// audiences no other puzzle with the same solution.
    fn share(&mut self, states: &mut AudienceStates, leader: usize, grid: &str, puzzle_id: PuzzleId) {
        for &at in self.sharers.iter().filter(|&&at| at == leader || self.twins[at] == Some(leader)) {
            if let NewDelivery { shared_with: Some(audience), name: Some(name), .. } = &self.wanted[at]
                && states.of(audience).is_first(grid.to_owned())
            {
                let name = Some((name.shared_column(), as_json(name.fields())));
                self.shares.push(Row { audience, puzzle_id, name });
            }
        }
    }

    /// Records shared puzzles for audiences that did not have the solution before.
    async fn record_shares(&mut self, write: &mut impl Write, states: &mut AudienceStates) -> Result<(), StoreError> {
        if self.shares.is_empty() {
            return Ok(());
        }
        let asked = self.shares.iter().map(|share| json!([states.id(share.audience), share.puzzle_id.0]));
        let asked = asked.collect::<Value>().to_string();
        let sql = Sql {
            sqlite: "select asked.key as number
                     from json_each($1) as asked
                     join puzzles on puzzles.id = asked.value ->> 1
                     join deliveries on deliveries.audience_id = asked.value ->> 0 and deliveries.grid = puzzles.grid",
            postgres: "select asked.rank - 1 as number
                       from json_array_elements($1::json) with ordinality as asked (value, rank)
                       join puzzles on puzzles.id = (asked.value ->> 1)::bigint
                       join deliveries on deliveries.audience_id = (asked.value ->> 0)::bigint
                                      and deliveries.grid = puzzles.grid",
        };
        let had: HashSet<_> =
            write.all("deliver.read_shared", sql, values![&asked], number).await?.into_iter().collect();
        for (share, _) in std::mem::take(&mut self.shares).into_iter().zip(0..).filter(|(_, at)| !had.contains(at)) {
            states.of(share.audience).share();
            // The date may have had another puzzle.
            self.released.extend(share.name.as_ref().map(|(name, _)| (share.audience, name.clone())));
            self.rows.push(share);
        }
        Ok(())
    }
}

fn answer_twins(wanted: &[NewDelivery], twins: &[Option<usize>], mut answers: Vec<Delivered>) -> Vec<Delivered> {
    let fields = |at: usize| wanted[at].name.as_ref().map(DeliveryName::fields);
    for (at, leader) in twins.iter().enumerate() {
        let Some(leader) = *leader else { continue };
        let differs = fields(at).zip(fields(leader)).map_or(Vec::new(), |(sent, before)| differences(sent, before));
        answers[at] = match &answers[leader] {
            Delivered::New(puzzle) | Delivered::Same(puzzle) if differs.is_empty() => Delivered::Same(puzzle.clone()),
            Delivered::New(puzzle) | Delivered::Same(puzzle) => Delivered::OtherRequest { puzzle: puzzle.id, differs },
            Delivered::Exhausted if differs.is_empty() => Delivered::Exhausted,
            Delivered::Unknown if wanted[at].only_known => Delivered::Unknown,
            // The name is still free, or another delivery holds it now; the next write finds out.
            _ => Delivered::Unlucky,
        };
    }
    answers
}
