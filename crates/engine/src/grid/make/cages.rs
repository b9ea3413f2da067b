//! The shape of kinds whose clues are cages: divides a random solution into cages. While the puzzle has another
//! solution, the shape divides some cages again. Then it changes more cages, to reach the wanted ratings.

use super::{Division, Draft, Goal, Shape, repaired};
use crate::{
    grid::{
        cells::Cells,
        clues::{Cage, Clues, Operator},
        puzzle::Puzzle,
        rules::Rules,
        solve::{self, NODES_PER_FILL_MAX},
        variant::GridVariant,
    },
    shared::{
        budget::{Budget, OutOfBudget},
        level::Tenths,
        rng::Rng,
        step::Cell,
    },
};

/// The largest number that a product shows.
const PRODUCT_MAX: u32 = 9_999;

/// The maximum number of times that a try divides a whole board.
const DIVISIONS_MAX: usize = 20;

/// The maximum number of repairs of a board.
const REPAIRS_MAX: usize = 30;

/// The number of new divisions that a repair tries for each cage in which a counter-example differs from the solution.
const CHOICES: usize = 4;

/// The maximum number of moves of a try.
const MOVES_MAX: usize = 300;

/// The shape of kinds whose clues are cages.
pub(crate) struct Cages {
    /// The style of the cages of a goal.
    pub(crate) style: fn(&Goal) -> &'static CageStyle,
}

/// The cages that a try begins with, and the limits of all others.
#[derive(Debug)]
pub(crate) struct CageStyle {
    /// The shares of cages of at most 1, 2, 3, … cells at the start of a try, in percent.
    pub(crate) shares: &'static [usize],
    /// The maximum number of cells of a cage. A cage never has more cells than a row.
    pub(crate) cells_max: usize,
    /// The maximum number of cages of one cell.
    pub(crate) singles_max: usize,
    /// The weights of the operators in the order of [`Operator::ALL`]. Empty for cages with sums alone.
    pub(crate) operators: &'static [usize],
}

impl CageStyle {
    /// The minimum number of cells of a part of a cage.
    fn cells_min(&self) -> usize {
        if self.singles_max > 0 { 1 } else { 2 }
    }

    fn size_of_cage(&self, rng: &mut Rng) -> usize {
        let lot = rng.index(100);
        1 + self.shares.iter().filter(|share| lot >= **share).count()
    }
}

impl Shape for Cages {
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget> {
        let variant = goal.variant;
        let rules = Rules::with(variant, &[]);
        let Some(solution) = solve::fill(&rules, NODES_PER_FILL_MAX, rng, budget)? else { return Ok(None) };
        let division = CageDivision { variant, style: (self.style)(goal), solution, cages: Vec::new() };
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
        let (style, solution, cages) = ((self.style)(goal), draft.solution.clone(), draft.puzzle.clues.cages.clone());
        let division = CageDivision { variant: goal.variant, style, solution, cages };
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
    style: &'static CageStyle,
    solution: Vec<u8>,
    /// In any order.
    cages: Vec<Cage>,
}

impl CageDivision {
    /// The division into random cages. `None` if too many cells stay alone.
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
            let cage = self.grown(first, free, self.style.size_of_cage(rng), rng);
            free = free.without(cage);
            cages.push(cage);
        }
        let alone = (0..cages.len()).filter(|at| cages[*at].len() == 1).skip(self.style.singles_max);
        for at in alone.collect::<Vec<_>>().into_iter().rev() {
            let alone = cages.swap_remove(at);
            let fits = |cage: &&mut Cells| cage.meets(alone.beside(size)) && self.is_cage(cage.or(alone));
            let smallest = cages.iter_mut().filter(fits).min_by_key(|cage| cage.len())?;
            *smallest = smallest.or(alone);
        }
        let cages = cages.into_iter().map(|cells| self.cage(cells, rng)).collect();
        Some(Self { cages, ..self.clone() })
    }

    /// The cage of these cells. If cages have operators, it gets a random one of those that suit its digits.
    fn cage(&self, cells: Cells, rng: &mut Rng) -> Cage {
        let digits: Vec<u8> = cells.iter().map(|cell| self.solution[usize::from(cell)]).collect();
        let sum = || Cage::of_sum(cells, digits.iter().map(|digit| u32::from(*digit)).sum());
        let weights = self.style.operators.iter().zip(Operator::ALL);
        let made = |(weight, operator): (&usize, Operator)| {
            let number = operator.result(&digits).filter(|number| *number <= PRODUCT_MAX)?;
            Some((*weight, Cage { cells, number, operator: Some(operator) }))
        };
        let suiting: Vec<_> = weights.filter_map(made).collect();
        let all: usize = suiting.iter().map(|(weight, _)| weight).sum();
        if digits.len() == 1 || all == 0 {
            return sum();
        }
        let mut lot = rng.index(all);
        let is_drawn = |(weight, _): &&(usize, Cage)| {
            let is_drawn = lot < *weight;
            lot = lot.saturating_sub(*weight);
            is_drawn
        };
        suiting.iter().find(is_drawn).map_or_else(sum, |(_, cage)| *cage)
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

    /// Whether cells are few enough for a cage, and their digits differ if digits must not repeat. They need not be
    /// connected.
    fn is_cage(&self, cells: Cells) -> bool {
        cells.len() <= self.style.cells_max.min(self.variant.size.into()) && self.may_hold(cells, &self.solution)
    }

    /// Whether the digits of a board in a cage all differ, or digits may repeat.
    fn may_hold(&self, cage: Cells, board: &[u8]) -> bool {
        let digits = cage.iter().fold(0_u32, |digits, cell| digits | 1 << board[usize::from(cell)]);
        self.variant.clues.has_repeats() || digits.count_ones() as usize == cage.len()
    }

    fn singles(&self) -> usize {
        self.cages.iter().filter(|cage| cage.cells.len() == 1).count()
    }

    /// The division after the cells of a cage, or of a cage and a neighbor, are divided again at random into one or two
    /// cages. `None` if the new cages break a rule or are the old ones.
    fn redivided(&self, cage: usize, rng: &mut Rng) -> Option<Self> {
        let (size, cells_min) = (self.variant.size, self.style.cells_min());
        let mut others = self.cages.clone();
        let mut cells = others.swap_remove(cage).cells;
        let beside = cells.beside(size);
        let near: Vec<_> = (0..others.len()).filter(|other| others[*other].cells.meets(beside)).collect();
        // One of the neighbors, or none.
        if let Some(other) = near.get(rng.index(near.len() + 1)) {
            cells = cells.or(others.swap_remove(*other).cells);
        }
        // The choices are equally likely: one cage of all cells, or two cages, the first of which grows from one of the
        // cells.
        let all = cells.list();
        let parts = match rng.index(all.len() + 1).checked_sub(1) {
            None => vec![cells],
            Some(first) if all.len() >= 2 * cells_min => {
                let len = cells_min + rng.index(all.len() - 2 * cells_min + 1);
                let part = self.grown(Cells::only(all[first]), cells, len, rng);
                vec![part, cells.without(part)]
            }
            Some(_) => return None,
        };
        let is_cage = |part: &Cells| {
            let first: Cells = part.first().into_iter().collect();
            part.len() >= cells_min && self.is_cage(*part) && first.connected(*part, size) == *part
        };
        if !parts.iter().all(is_cage) {
            return None;
        }
        let parts: Vec<Cage> = parts.into_iter().map(|part| self.cage(part, rng)).collect();
        let is_new = parts.iter().any(|part| !self.cages.contains(part));
        others.extend(parts);
        let next = Self { cages: others, ..self.clone() };
        (is_new && next.singles() <= self.style.singles_max.max(self.singles())).then_some(next)
    }
}

impl Division for CageDivision {
    fn puzzle(&self) -> Puzzle {
        let mut cages = self.cages.clone();
        cages.sort_unstable_by_key(|cage| cage.cells.first());
        let clues = Clues { cages, ..Clues::default() };
        Puzzle { clues, ..Puzzle::new(self.variant, vec![0; self.variant.cells()], Vec::new()) }
    }

    fn allows(&self, board: &[u8]) -> bool {
        self.cages.iter().all(|cage| {
            let digits: Vec<u8> = cage.cells.iter().map(|cell| board[usize::from(cell)]).collect();
            let operator = cage.operator.unwrap_or(Operator::Add);
            operator.result(&digits) == Some(cage.number) && self.may_hold(cage.cells, board)
        })
    }

    fn changes(&self, cells: Cells, rng: &mut Rng) -> Vec<Self> {
        let broken = (0..self.cages.len()).filter(|cage| self.cages[*cage].cells.meets(cells));
        broken.flat_map(|cage| [cage; CHOICES]).filter_map(|cage| self.redivided(cage, rng)).collect()
    }
}
