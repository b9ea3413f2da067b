//! The shape of star battle: regions grow from random stars, counter-examples repair them until the stars are the only solution, and
//! cells that change their region move the puzzle to the wanted level.

use crate::{
    grid::{
        cells::Cells,
        ladder::climb,
        make::{Draft, Goal, Shape},
        position::Position,
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

/// The maximum number of random orders of columns. About one in eight has no stars that touch.
const PLACEMENTS_MAX: usize = 1_000;

/// The largest weight of a region that grows; the smallest is 1. Regions grow in proportion to their weights.
const WEIGHTS: usize = 8;

/// The fewest cells of a region.
const CELLS_MIN: usize = 2;

/// The maximum number of counter-examples that repair one board.
const REPAIRS_MAX: usize = 60;

/// The maximum number of nodes of a search for a counter-example.
const NODES_PER_REPAIR_MAX: u64 = 2_000;

/// The maximum number of moves of a try.
const MOVES_MAX: usize = 300;

/// Kinds whose clues are regions with one star each.
pub(super) struct Regions;

impl Shape for Regions {
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget> {
        let Some(stars) = stars(goal.variant.size, rng) else { return Ok(None) };
        let regions = stars.iter().map(|star| Cells::only(*star)).collect();
        let mut board = Board { variant: goal.variant, stars, regions };
        board.grow(rng);
        Ok(if board.repair(rng, budget)? { board.draft(Tenths::MAX) } else { None })
    }

    /// Moves a random cell to another region. `None` if the cell cannot move, or if the ladder does not solve the new puzzle up to the
    /// rating of the goal or of the draft, whichever is higher.
    fn neighbor(
        &self,
        draft: &Draft,
        goal: &Goal,
        rng: &mut Rng,
        _budget: &mut Budget<'_>,
    ) -> Result<Option<Draft>, OutOfBudget> {
        let board = Board::of(draft);
        let starless: Vec<_> = Cells::first_of_board(goal.variant.cells()).without(board.solution()).list();
        let moves = board.moves(starless[rng.index(starless.len())]);
        let upto = draft.rating.unwrap_or(Tenths::MAX).max(*goal.ratings.end());
        let next = (!moves.is_empty()).then(|| board.after(moves[rng.index(moves.len())]));
        Ok(next.and_then(|next| next.draft(upto)))
    }

    fn neighbors_max(&self, _goal: &Goal) -> usize {
        MOVES_MAX
    }
}

/// A board that is divided into regions.
#[derive(Debug, Clone)]
struct Board {
    variant: &'static GridVariant,
    /// The star of each region.
    stars: Vec<Cell>,
    /// The cells of each region, in any order.
    regions: Vec<Cells>,
}

impl Board {
    fn of(draft: &Draft) -> Self {
        let Draft { puzzle, solution, .. } = draft;
        let of_region = |number: u8| -> Cells {
            (0..).zip(&puzzle.regions).filter(|(_, region)| **region == number).map(|(cell, _)| cell).collect()
        };
        let regions: Vec<_> = (0..puzzle.variant.size).map(of_region).collect();
        let star = |region: &Cells| region.iter().find(|cell| solution[usize::from(*cell)] != 0);
        let stars = regions.iter().filter_map(star).collect();
        Self { variant: puzzle.variant, stars, regions }
    }

    /// Lets the regions grow until they cover the board. Each has two cells before one has three: no two stars have a side in common
    /// with the same cell, so a second cell is always free.
    fn grow(&mut self, rng: &mut Rng) {
        let mut free = Cells::first_of_board(self.variant.cells()).without(self.solution());
        for region in 0..self.regions.len() {
            self.grow_one(region, &mut free, rng);
        }
        // Each region as often as its weight.
        let mut lots: Vec<_> =
            (0..self.regions.len()).flat_map(|region| vec![region; 1 + rng.index(WEIGHTS)]).collect();
        while !free.is_empty() {
            let region = lots[rng.index(lots.len())];
            if !self.grow_one(region, &mut free, rng) {
                lots.retain(|other| *other != region);
            }
        }
    }

    /// Adds a random free cell to a region. Returns false if there is none beside it.
    fn grow_one(&mut self, region: usize, free: &mut Cells, rng: &mut Rng) -> bool {
        let beside = self.regions[region].beside(self.variant.size).and(*free).list();
        if beside.is_empty() {
            return false;
        }
        let cell = beside[rng.index(beside.len())];
        self.regions[region].insert(cell);
        free.remove(cell);
        true
    }

    /// Changes regions until the stars are the only solution. Returns false if that fails within the bounds.
    ///
    /// # Errors
    /// [`OutOfBudget::Cancelled`].
    fn repair(&mut self, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<bool, OutOfBudget> {
        let mut wrong: Vec<Cells> = Vec::new();
        let stars = self.solution();
        for _ in 0..REPAIRS_MAX {
            let search = |budget: &mut Budget<'_>| solve::solutions(&self.puzzle(), 2, budget);
            let found = match budget.within(NODES_PER_REPAIR_MAX, search) {
                Ok(found) => found,
                Err(OutOfBudget::Nodes) => return Ok(false),
                Err(OutOfBudget::Cancelled) => return Err(OutOfBudget::Cancelled),
            };
            let as_cells =
                |digits: Vec<u8>| (0..).zip(digits).filter(|(_, digit)| *digit != 0).map(|(cell, _)| cell).collect();
            let Some(other) = found.into_iter().map(as_cells).find(|other: &Cells| *other != stars) else {
                return Ok(true);
            };
            wrong.push(other);
            let mut moves: Vec<_> = other.without(stars).iter().flat_map(|cell| self.moves(cell)).collect();
            rng.shuffle(&mut moves);
            let left = |board: &Self| wrong.iter().filter(|other| board.solves(**other)).count();
            let Some(repaired) = moves.into_iter().map(|change| self.after(change)).min_by_key(left) else {
                return Ok(false);
            };
            *self = repaired;
        }
        Ok(false)
    }

    /// The moves of a cell without a star to another region. Cells that only this cell connects with their star move along.
    fn moves(&self, cell: Cell) -> Vec<(Cells, usize)> {
        let (size, beside) = (self.variant.size, Cells::only(cell).beside(self.variant.size));
        let Some(from) = self.regions.iter().position(|region| region.contains(cell)) else { return Vec::new() };
        let rest = Cells::only(self.stars[from]).connected(self.regions[from].without(Cells::only(cell)), size);
        if rest.len() < CELLS_MIN {
            return Vec::new();
        }
        let moved = self.regions[from].without(rest);
        let to = self.regions.iter().enumerate().filter(|(region, cells)| *region != from && cells.meets(beside));
        to.map(|(region, _)| (moved, region)).collect()
    }

    fn after(&self, (cells, to): (Cells, usize)) -> Self {
        let mut board = self.clone();
        board.regions.iter_mut().for_each(|region| *region = region.without(cells));
        board.regions[to] = board.regions[to].or(cells);
        board
    }

    /// Whether each region has one of these stars, which keep all other rules.
    fn solves(&self, stars: Cells) -> bool {
        self.regions.iter().all(|region| region.and(stars).single().is_some())
    }

    /// The stars of all regions.
    fn solution(&self) -> Cells {
        self.stars.iter().copied().collect()
    }

    fn puzzle(&self) -> Puzzle {
        let mut regions = vec![0; self.variant.cells()];
        for (number, region) in (0..).zip(&self.regions) {
            region.iter().for_each(|cell| regions[usize::from(cell)] = number);
        }
        let puzzle = Puzzle::new(self.variant, vec![0; self.variant.cells()], regions);
        // Numbers the regions in order.
        puzzle.moved(|cell| cell)
    }

    /// The puzzle with its rating. `None` if it is harder than `upto` or has several solutions.
    fn draft(&self, upto: Tenths) -> Option<Draft> {
        let puzzle = self.puzzle();
        let rules = Rules::of(&puzzle);
        let mut position = Position::empty(&rules);
        let climb = climb(&mut position, self.variant.ladder, upto);
        let draft = || Draft { solution: position.digits().to_vec(), puzzle, rating: Some(climb.rating) };
        climb.solved.then(draft)
    }
}

/// Random stars that do not touch, one in each row and column. All placements have the same chance.
fn stars(size: u8, rng: &mut Rng) -> Option<Vec<Cell>> {
    let size = Cell::from(size);
    let mut columns: Vec<Cell> = (0..size).collect();
    (0..PLACEMENTS_MAX).find_map(|_| {
        rng.shuffle(&mut columns);
        let is_apart = columns.windows(2).all(|pair| pair[0].abs_diff(pair[1]) > 1);
        is_apart.then(|| (0..).zip(&columns).map(|(row, column): (Cell, _)| row * size + column).collect())
    })
}
