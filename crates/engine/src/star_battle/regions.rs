//! The shape of star battle: regions grow from random stars, and are joined if each has several stars. Counter-examples repair them until
//! the stars are the only solution, and cells that change their region move the puzzle to the wanted level.

use super::placements;
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

/// The largest weight of a region that grows; the smallest is 1. Regions grow in proportion to their weights.
const WEIGHTS: usize = 8;

/// The maximum number of times that the regions of a board are joined at random, until each has its stars.
const JOININGS_MAX: usize = 20;

/// The maximum number of repairs of a board for each star of a region.
const REPAIRS_MAX: usize = 60;

/// The maximum number of moves of a try.
const MOVES_MAX: usize = 300;

/// Kinds whose clues are regions with as many stars each.
pub(super) struct Regions;

impl Shape for Regions {
    fn start(&self, goal: &Goal, rng: &mut Rng, budget: &mut Budget<'_>) -> Result<Option<Draft>, OutOfBudget> {
        let (size, count) = (goal.variant.size, goal.variant.stars());
        let Some(stars) = placements::random(size, count, rng) else { return Ok(None) };
        let stars: Vec<_> = stars.into_iter().map(Cells::only).collect();
        let mut division = RegionDivision { variant: goal.variant, regions: stars.clone(), stars };
        division.grow(rng);
        if count > 1 {
            let Some(joined) = (0..JOININGS_MAX).find_map(|_| division.joined(rng)) else { return Ok(None) };
            division = joined;
        }
        let stars = division.solution();
        let solution: Vec<_> = division.all().iter().map(|cell| u8::from(stars.contains(cell))).collect();
        repaired(division, &solution, REPAIRS_MAX * usize::from(count), rng, budget)
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
    /// The stars of each region.
    stars: Vec<Cells>,
    /// The cells of each region, in any order.
    regions: Vec<Cells>,
}

impl RegionDivision {
    fn of(draft: &Draft) -> Self {
        let Draft { puzzle, solution, .. } = draft;
        let regions = sets_of(&puzzle.regions);
        let stars = |region: &Cells| region.iter().filter(|cell| solution[usize::from(*cell)] != 0).collect();
        let stars = regions.iter().map(stars).collect();
        Self { variant: puzzle.variant, stars, regions }
    }

    /// Lets the regions grow until they cover the board. Each region gets its second cell before one gets a third. With one star in each
    /// line, no cell shares sides with two stars, so a second cell is always free.
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

    /// The division after regions that touch were joined at random, until each has its stars. `None` if a region is left that touches no
    /// other. Regions with the fewest neighbors come first, so that few are left.
    fn joined(&self, rng: &mut Rng) -> Option<Self> {
        let mut left: Vec<_> = self.stars.iter().copied().zip(self.regions.iter().copied()).collect();
        rng.shuffle(&mut left);
        let (mut stars, mut regions) = (Vec::new(), Vec::new());
        while !left.is_empty() {
            let near =
                |region: Cells| left.iter().filter(|(_, other)| other.meets(region.beside(self.variant.size))).count();
            let first = (0..left.len()).min_by_key(|at| near(left[*at].1))?;
            let (mut of_region, mut region) = left.swap_remove(first);
            while of_region.len() < self.variant.stars().into() {
                let beside = region.beside(self.variant.size);
                let next = left.iter().position(|(_, other)| other.meets(beside))?;
                let (more, cells) = left.swap_remove(next);
                (of_region, region) = (of_region.or(more), region.or(cells));
            }
            stars.push(of_region);
            regions.push(region);
        }
        Some(Self { variant: self.variant, stars, regions })
    }

    /// The moves of a cell without a star to another region. Cells that only this cell connects with their stars move along.
    fn moves(&self, cell: Cell) -> Vec<(Cells, usize)> {
        let (size, beside) = (self.variant.size, Cells::only(cell).beside(self.variant.size));
        let Some(from) = self.regions.iter().position(|region| region.contains(cell)) else { return Vec::new() };
        let stars = self.stars[from];
        let first = stars.first().into_iter().collect::<Cells>();
        let rest = first.connected(self.regions[from].without(Cells::only(cell)), size);
        // A region has a cell more than stars.
        if rest.len() <= stars.len() || !stars.is_within(rest) {
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
        self.stars.iter().fold(Cells::NONE, |all, stars| all.or(*stars))
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
        self.regions.iter().all(|region| stars(region) == usize::from(self.variant.stars()))
    }

    fn changes(&self, cells: Cells, rng: &mut Rng) -> Vec<Self> {
        let moves_of = |cells: Cells| -> Vec<_> {
            cells.without(self.solution()).iter().flat_map(|cell| self.moves(cell)).collect()
        };
        let mut moves = moves_of(cells);
        if moves.is_empty() && self.variant.stars() > 1 {
            // With several stars, more cells connect them or are surrounded by their region.
            moves = moves_of(self.all());
        }
        rng.shuffle(&mut moves);
        moves.into_iter().map(|change| self.after(change)).collect()
    }
}
