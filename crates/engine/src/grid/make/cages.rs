//! The shape of kinds whose clues are cages: divides a random solution into cages. While the puzzle has another
//! solution, the shape divides some cages again. Then it changes more cages, to reach the wanted ratings.

use super::{Division, Draft, Goal, Shape, repaired};
use crate::{
    grid::{
        cells::Cells,
        clues::{Cage, Clues},
        puzzle::Puzzle,
        rules::Rules,
        solve,
        variant::GridVariant,
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
        step::Cell,
    },
};

/// The shares of cages of at most 2, 3, and 4 cells at the start of a try, in percent.
const SIZES: [usize; 3] = [78, 96, 100];

/// The fewest and the most cells of a cage.
const CELLS_MIN: usize = 2;
const CELLS_MAX: usize = 6;

/// The maximum number of times that a try divides a whole board.
const DIVISIONS_MAX: usize = 20;

/// The maximum number of repairs of a board.
const REPAIRS_MAX: usize = 30;

/// The number of new divisions that a repair tries for each cage in which a counter-example differs from the solution.
const CHOICES: usize = 4;

/// The maximum number of moves of a try.
const MOVES_MAX: usize = 300;

/// The shape of kinds whose clues are cages.
pub(crate) struct Cages;

impl Shape for Cages {
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget> {
        let variant = goal.variant;
        let Some(solution) = solve::fill(&Rules::with(variant, &[]), rng, budget)? else { return Ok(None) };
        let division = CageDivision { variant, solution, cages: Vec::new() };
        let Some(divided) = (0..DIVISIONS_MAX).find_map(|_| division.divided(rng)) else { return Ok(None) };
        repaired(divided, &division.solution, REPAIRS_MAX, rng, budget)
    }

    /// Divides the cells of one cage, or of two neighboring cages, again. If the puzzle is too hard, the number of cages does not fall. If
    /// it is too easy, the number does not rise. `None` if the division fails, or if the new puzzle is too hard.
    fn neighbor(
        &self,
        draft: &Draft,
        goal: &Goal,
        rng: &mut Rng,
        _budget: &mut Budget<'_>,
    ) -> Result<Option<Draft>, OutOfBudget> {
        let cages = draft.puzzle.clues.cages.iter().map(|cage| cage.cells).collect();
        let division = CageDivision { variant: goal.variant, solution: draft.solution.clone(), cages };
        let cage = rng.index(division.cages.len());
        let rating = draft.rating.unwrap_or(Tenths::MAX);
        let (is_hard, is_easy) = (rating > *goal.ratings.end(), rating < *goal.ratings.start());
        let count = division.cages.len();
        let leads_on =
            |next: &CageDivision| !(is_hard && next.cages.len() < count || is_easy && next.cages.len() > count);
        let next = division.redivided(cage, rng).filter(leads_on);
        Ok(next.and_then(|next| draft.replaced_by(next.puzzle(), goal)))
    }

    fn neighbors_max(&self, _goal: &Goal) -> usize {
        MOVES_MAX
    }
}

/// A solution that is divided into cages.
#[derive(Debug, Clone)]
struct CageDivision {
    variant: &'static GridVariant,
    solution: Vec<u8>,
    /// In any order.
    cages: Vec<Cells>,
}

impl CageDivision {
    /// The division into random cages. `None` if a cell stays alone.
    fn divided(&self, rng: &mut Rng) -> Option<Self> {
        let size = self.variant.size;
        let mut free = Cells::first_of_board(self.variant.cells());
        let mut cages: Vec<Cells> = Vec::new();
        while !free.is_empty() {
            // Cells with few free neighbors come first, so that few cells stay alone.
            let near = |cell: Cell| Cells::only(cell).beside(size).and(free).len();
            let fewest = free.iter().map(near).min()?;
            let first: Vec<_> = free.iter().filter(|cell| near(*cell) == fewest).collect();
            let first = Cells::only(first[rng.index(first.len())]);
            let cage = self.grown(first, free, size_of_cage(rng), rng);
            free = free.without(cage);
            cages.push(cage);
        }
        for at in (0..cages.len()).rev().filter(|at| cages[*at].len() < CELLS_MIN).collect::<Vec<_>>() {
            let alone = cages.swap_remove(at);
            let fits = |cage: &&mut Cells| cage.meets(alone.beside(size)) && self.is_cage(cage.or(alone));
            let smallest = cages.iter_mut().filter(fits).min_by_key(|cage| cage.len())?;
            *smallest = smallest.or(alone);
        }
        Some(Self { cages, ..self.clone() })
    }

    /// The cage that grows from `from` by random free cells until it has `len` cells or cannot grow.
    fn grown(&self, from: Cells, free: Cells, len: usize, rng: &mut Rng) -> Cells {
        let mut cage = from;
        while cage.len() < len {
            let next = cage.beside(self.variant.size).and(free).without(cage);
            let next: Vec<_> = next.iter().filter(|cell| self.is_cage(cage.or(Cells::only(*cell)))).collect();
            if next.is_empty() {
                break;
            }
            cage.insert(next[rng.index(next.len())]);
        }
        cage
    }

    /// Whether cells are at most [`CELLS_MAX`] and hold no digit twice. They need not be connected.
    fn is_cage(&self, cells: Cells) -> bool {
        let digits = cells.iter().fold(0_u32, |digits, cell| digits | 1 << self.solution[usize::from(cell)]);
        cells.len() <= CELLS_MAX && digits.count_ones() as usize == cells.len()
    }

    /// The division after the cells of a cage, or of a cage and a neighbor, are divided again at random into one or two
    /// cages. `None` if the new cages break a rule or are the old ones.
    fn redivided(&self, cage: usize, rng: &mut Rng) -> Option<Self> {
        let size = self.variant.size;
        let mut others = self.cages.clone();
        let mut cells = others.swap_remove(cage);
        let beside = cells.beside(size);
        let near: Vec<_> = (0..others.len()).filter(|other| others[*other].meets(beside)).collect();
        // One of the neighbors, or none.
        if let Some(other) = near.get(rng.index(near.len() + 1)) {
            cells = cells.or(others.swap_remove(*other));
        }
        // The choices are equally likely: one cage of all cells, or two cages, the first of which grows from one of the
        // cells.
        let all = cells.list();
        let parts = match rng.index(all.len() + 1).checked_sub(1) {
            None => vec![cells],
            Some(first) if all.len() >= 2 * CELLS_MIN => {
                let len = CELLS_MIN + rng.index(all.len() - 2 * CELLS_MIN + 1);
                let part = self.grown(Cells::only(all[first]), cells, len, rng);
                vec![part, cells.without(part)]
            }
            Some(_) => return None,
        };
        let is_cage = |part: &Cells| {
            let first: Cells = part.first().into_iter().collect();
            part.len() >= CELLS_MIN && self.is_cage(*part) && first.connected(*part, size) == *part
        };
        let is_new = parts.iter().any(|part| !self.cages.contains(part));
        (is_new && parts.iter().all(is_cage)).then(|| {
            others.extend(parts);
            Self { cages: others, ..self.clone() }
        })
    }
}

impl Division for CageDivision {
    fn puzzle(&self) -> Puzzle {
        let cage = |cells: &Cells| Cage { cells: *cells, number: sum(*cells, &self.solution) };
        let mut cages: Vec<_> = self.cages.iter().map(cage).collect();
        cages.sort_unstable_by_key(|cage| cage.cells.first());
        let clues = Clues { cages, ..Clues::default() };
        Puzzle { clues, ..Puzzle::new(self.variant, vec![0; self.variant.cells()], Vec::new()) }
    }

    fn allows(&self, board: &[u8]) -> bool {
        self.cages.iter().all(|cage| {
            let digits = cage.iter().fold(0_u32, |digits, cell| digits | 1 << board[usize::from(cell)]);
            sum(*cage, board) == sum(*cage, &self.solution) && digits.count_ones() as usize == cage.len()
        })
    }

    fn changes(&self, cells: Cells, rng: &mut Rng) -> Vec<Self> {
        let broken = (0..self.cages.len()).filter(|cage| self.cages[*cage].meets(cells));
        broken.flat_map(|cage| [cage; CHOICES]).filter_map(|cage| self.redivided(cage, rng)).collect()
    }
}

fn sum(cells: Cells, solution: &[u8]) -> u32 {
    cells.iter().map(|cell| u32::from(solution[usize::from(cell)])).sum()
}

fn size_of_cage(rng: &mut Rng) -> usize {
    let lot = rng.index(100);
    CELLS_MIN + SIZES.iter().filter(|share| lot >= **share).count()
}
