//! Makes random layouts of small regions, of which some have a solution.

use super::CELLS_MAX;
use crate::{
    grid::{cells::Cells, puzzle::renumbered, rules::touching, variant::GridVariant},
    shared::{rng::Rng, step::Cell},
};

/// The share of regions that grow to 5 cells, in percent. The others grow to 4. Each region has a 1, and ones that do not touch need
/// space, so boards with many smaller regions have no solution.
const SHARE_OF_LARGEST: usize = 80;

/// A region of fewer cells is short. It joins a region beside it, if that has space.
const CELLS_MIN: usize = 3;

/// The maximum number of regions of one cell, and of those of two.
const SHORT_MAX: usize = 2;

/// A random layout: the region of each cell, numbered from 0 in the order of their first cells. `None` if it has too many short regions, or
/// two that touch.
pub(super) fn random(variant: &GridVariant, rng: &mut Rng) -> Option<Vec<u8>> {
    let all = Cells::first_of_board(variant.cells());
    let (mut regions, mut free) = (Vec::new(), all);
    while !free.is_empty() {
        let mut cells = grown(variant.size, free, rng);
        free = free.without(cells);
        let fits = |region: &Cells| {
            region.meets(cells.beside(variant.size)) && region.len() + cells.len() <= usize::from(CELLS_MAX)
        };
        if let Some(at) = regions.iter().position(fits).filter(|_| cells.len() < CELLS_MIN) {
            cells = cells.or(regions.swap_remove(at));
        }
        regions.push(cells);
    }
    let short: Vec<Cells> = regions.iter().copied().filter(|region| region.len() < CELLS_MIN).collect();
    let of_len = |len: usize| short.iter().filter(|region| region.len() == len).count();
    let touch = |one: &Cells, other: &Cells| one.iter().any(|cell| touching(variant.size, cell).meets(*other));
    let is_apart = short.iter().enumerate().all(|(at, one)| !short[..at].iter().any(|other| touch(one, other)));
    let region = |cell| regions.iter().position(|region| region.contains(cell));
    let numbers = all.iter().filter_map(region).filter_map(|region| u8::try_from(region).ok());
    (is_apart && (1..CELLS_MIN).all(|len| of_len(len) <= SHORT_MAX)).then(|| renumbered(numbers))
}

/// A region of free cells. Cells with few free neighbors come first, so that few cells stay alone.
fn grown(size: u8, free: Cells, rng: &mut Rng) -> Cells {
    let near = |cell: Cell| Cells::only(cell).beside(size).and(free).len();
    let fewest = free.iter().map(near).min();
    let first: Vec<_> = free.iter().filter(|cell| Some(near(*cell)) == fewest).collect();
    let mut cells = Cells::only(first[rng.index(first.len())]);
    let len = usize::from(CELLS_MAX) - usize::from(rng.index(100) >= SHARE_OF_LARGEST);
    while cells.len() < len {
        let next = cells.beside(size).and(free).without(cells).list();
        if next.is_empty() {
            break;
        }
        cells.insert(next[rng.index(next.len())]);
    }
    cells
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{grid::cells::sets_of, suguru::SUGURU};

    #[test]
    fn layouts_have_connected_regions_of_at_most_5_cells_and_few_short_ones() {
        for variant in SUGURU.variants {
            let mut rng = Rng::from_seed(1);
            let layouts: Vec<_> = (0..200).filter_map(|_| random(variant, &mut rng)).collect();
            assert!(layouts.len() > 100, "{} {}", variant.name, layouts.len());
            for regions in layouts.iter().map(|layout| sets_of(layout)) {
                let connected = |region: &Cells| grown_from_first(variant.size, *region) == *region;
                assert!(regions.iter().all(|region| region.len() <= 5 && connected(region)), "{regions:?}");
                assert!(regions.iter().filter(|region| region.len() < 3).count() <= 4, "{regions:?}");
            }
        }
    }

    fn grown_from_first(size: u8, region: Cells) -> Cells {
        region.first().map_or(Cells::NONE, |first| Cells::only(first).connected(region, size))
    }
}
