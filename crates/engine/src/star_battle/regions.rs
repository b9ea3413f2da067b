//! The shape of star battle: regions grow from random stars, counter-examples repair them until the stars are the only solution, and
//! cells that change their region move the puzzle to the wanted level.

use crate::{
    grid::{
        cells::{Cells, sets_of},
        make::{Division, Draft, Goal, Shape, repaired},
        puzzle::Puzzle,
        variant::GridVariant,
    },
    shared::{
        budget::{Budget, OutOfBudget},
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

/// The maximum number of repairs of a board.
const REPAIRS_MAX: usize = 60;

/// The maximum number of moves of a try.
const MOVES_MAX: usize = 300;

/// Kinds whose clues are regions with one star each.
pub(super) struct Regions;

impl Shape for Regions {
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget> {
        let Some(stars) = stars(goal.variant.size, rng) else { return Ok(None) };
        let regions = stars.iter().map(|star| Cells::only(*star)).collect();
        let mut division = RegionDivision { variant: goal.variant, stars, regions };
        division.grow(rng);
        let stars = division.solution();
        let solution: Vec<_> = division.all().iter().map(|cell| u8::from(stars.contains(cell))).collect();
        repaired(division, &solution, REPAIRS_MAX, rng, budget)
    }

    /// Moves a random cell to another region. `None` if the cell cannot move, or if the new puzzle is too hard.
    fn neighbor(
        &self,
        draft: &Draft,
        goal: &Goal,
        rng: &mut Rng,
        _budget: &mut Budget<'_>,
    ) -> Result<Option<Draft>, OutOfBudget> {
        let division = RegionDivision::of(draft);
        let starless = division.all().without(division.solution()).list();
        let moves = division.moves(starless[rng.index(starless.len())]);
        let next = (!moves.is_empty()).then(|| division.after(moves[rng.index(moves.len())]));
        Ok(next.and_then(|next| draft.replaced_by(next.puzzle(), goal)))
    }

    fn neighbors_max(&self, _goal: &Goal) -> usize {
        MOVES_MAX
    }
}

/// A board that is divided into regions.
#[derive(Debug, Clone)]
struct RegionDivision {
    variant: &'static GridVariant,
    /// The star of each region.
    stars: Vec<Cell>,
    /// The cells of each region, in any order.
    regions: Vec<Cells>,
}

impl RegionDivision {
    fn of(draft: &Draft) -> Self {
        let Draft { puzzle, solution, .. } = draft;
        let regions = sets_of(&puzzle.regions);
        let star = |region: &Cells| region.iter().find(|cell| solution[usize::from(*cell)] != 0);
        let stars = regions.iter().filter_map(star).collect();
        Self { variant: puzzle.variant, stars, regions }
    }

    /// Lets the regions grow until they cover the board. Each region gets its second cell before one gets a third. No cell shares
    /// sides with two stars, so a second cell is always free.
    fn grow(&mut self, rng: &mut Rng) {
        let mut free = self.all().without(self.solution());
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
        let mut division = self.clone();
        division.regions.iter_mut().for_each(|region| *region = region.without(cells));
        division.regions[to] = division.regions[to].or(cells);
        division
    }

    fn all(&self) -> Cells {
        Cells::first_of_board(self.variant.cells())
    }

    /// The stars of all regions.
    fn solution(&self) -> Cells {
        self.stars.iter().copied().collect()
    }
}

impl Division for RegionDivision {
    fn puzzle(&self) -> Puzzle {
        let mut regions = vec![0; self.variant.cells()];
        for (number, region) in (0..).zip(&self.regions) {
            region.iter().for_each(|cell| regions[usize::from(cell)] = number);
        }
        let puzzle = Puzzle::new(self.variant, vec![0; self.variant.cells()], regions);
        // Numbers the regions in order.
        puzzle.moved(|cell| cell)
    }

    fn allows(&self, board: &[u8]) -> bool {
        let stars = |region: &Cells| region.iter().filter(|cell| board[usize::from(*cell)] != 0).count();
        self.regions.iter().all(|region| stars(region) == 1)
    }

    fn changes(&self, cells: Cells, rng: &mut Rng) -> Vec<Self> {
        let mut moves: Vec<_> = cells.without(self.solution()).iter().flat_map(|cell| self.moves(cell)).collect();
        rng.shuffle(&mut moves);
        moves.into_iter().map(|change| self.after(change)).collect()
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
