//! Makes random layouts of regions: starts with regular regions, and exchanges cells between regions that touch.

use crate::{
    grid::{puzzle::renumbered, variant::GridVariant},
    shared::rng::Rng,
};

/// The minimum and the maximum number of swaps of a layout. With fewer swaps, regions stay boxes; with more, they get crooked.
const SWAPS: [usize; 2] = [12, 20];

/// The maximum number of random pairs of cells that are tried for one layout. About one in ten can change places.
const PAIRS_MAX: usize = 600;

/// The maximum number of layouts that are tried. About one in two fits; see [`Layout::is_shapely`].
const LAYOUTS_MAX: usize = 100;

/// A random layout of connected regions with as many cells as a row. Each has a block of 2×2 cells, and none is a rectangle. Regions are
/// numbered from 0 in the order of their first cells. `None` if none of [`LAYOUTS_MAX`] layouts is like this.
pub(super) fn random(variant: &GridVariant, rng: &mut Rng) -> Option<Vec<u8>> {
    (0..LAYOUTS_MAX).find_map(|_| {
        let mut layout = Layout::first(variant.size.into());
        let swaps = SWAPS[0] + rng.index(SWAPS[1] - SWAPS[0] + 1);
        (layout.change(swaps, rng) && layout.is_shapely()).then(|| layout.numbers())
    })
}

/// The cells of a region as bits, row by row. A layout takes hundreds of tried pairs, and bits make each of them fast.
type Cells = u128;

/// A division of a board into regions.
#[derive(Debug, Clone)]
struct Layout {
    size: usize,
    regions: Vec<Cells>,
}

impl Layout {
    /// The layout before the first swap. Each band of two rows, or of three rows on a board of 9×9, is cut into regions from left to
    /// right. On 6×6, 8×8, and 9×9, these are boxes. On 7×7, the two regions of a band share its middle column, and the last row is a region.
    fn first(size: usize) -> Self {
        let rows: Vec<_> = (0..size).collect();
        let bands = rows.chunks(if size == 9 { 3 } else { 2 });
        let order =
            bands.flat_map(|rows| (0..size).flat_map(move |column| rows.iter().map(move |row| row * size + column)));
        let order: Vec<_> = order.collect();
        let regions = order.chunks(size).map(|cells| cells.iter().fold(0, |region, cell| region | 1 << cell));
        Self { size, regions: regions.collect() }
    }

    /// Makes this many random swaps. Returns false if too few pairs of cells can change places.
    fn change(&mut self, swaps: usize, rng: &mut Rng) -> bool {
        (0..PAIRS_MAX).filter(|_| self.swap(rng)).take(swaps).count() == swaps
    }

    /// Exchanges a random cell with a cell of a region beside it. Returns false, and changes nothing, if the random neighbor is in the
    /// same region, or if one of the two regions would fall apart or lose its last block.
    fn swap(&mut self, rng: &mut Rng) -> bool {
        let one = 1 << rng.index(self.size * self.size);
        let [from, to] = [one, random_cell(self.beside(one), rng)].map(|cell| self.region_of(cell));
        let (left, right) = (self.regions[from], self.regions[to]);
        if from == to {
            return false;
        }
        let other = random_cell(right & self.beside(left), rng);
        let changed = [left & !one | other, right & !other | one];
        let keeps =
            |(old, new): (Cells, Cells)| (self.has_block(new) || !self.has_block(old)) && self.is_connected(new);
        let is_fit = [left, right].into_iter().zip(changed).all(keeps);
        if is_fit {
            [self.regions[from], self.regions[to]] = changed;
        }
        is_fit
    }

    fn region_of(&self, cell: Cells) -> usize {
        self.regions.iter().position(|region| region & cell != 0).expect("regions cover the board")
    }

    /// The cells of a column.
    fn column(&self, column: usize) -> Cells {
        (0..self.size).fold(0, |cells, row| cells | 1 << (row * self.size + column))
    }

    /// The cells that share a side with one of these.
    fn beside(&self, cells: Cells) -> Cells {
        let (last, board) = (self.column(self.size - 1), (1 << (self.size * self.size)) - 1);
        (cells & !last) << 1 | cells >> 1 & !last | cells << self.size & board | cells >> self.size
    }

    /// Whether each region has a block, and none is a rectangle.
    fn is_shapely(&self) -> bool {
        self.regions.iter().all(|region| self.has_block(*region) && !self.is_rectangle(*region))
    }

    fn is_connected(&self, region: Cells) -> bool {
        let grow = |reached: &Cells| Some(reached | self.beside(*reached) & region);
        let first = 1 << region.trailing_zeros();
        std::iter::successors(Some(first), grow).take(self.size).last() == Some(region)
    }

    /// Whether four cells of a region make a block of 2×2.
    fn has_block(&self, region: Cells) -> bool {
        let pairs = region & region >> 1 & !self.column(self.size - 1);
        pairs & pairs >> self.size != 0
    }

    /// Whether a connected region is a box or a stripe: its rows are equal.
    fn is_rectangle(&self, region: Cells) -> bool {
        let row = |row: usize| region >> (row * self.size) & ((1 << self.size) - 1);
        let rows: Vec<_> = (0..self.size).map(row).filter(|row| *row != 0).collect();
        rows.iter().all(|row| *row == rows[0])
    }

    fn numbers(&self) -> Vec<u8> {
        let numbers = (0..self.size * self.size).map(|cell| self.region_of(1 << cell));
        renumbered(numbers.map(|number| u8::try_from(number).expect("as many regions as rows")))
    }
}

/// A random cell of `cells`.
fn random_cell(cells: Cells, rng: &mut Rng) -> Cells {
    let skipped = rng.index(cells.count_ones() as usize);
    let left = (0..skipped).fold(cells, |left, _| left & (left - 1));
    left & left.wrapping_neg()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::jigsaw::JIGSAW;

    const COUNT: usize = 1_000;

    #[test]
    fn thousand_layouts_have_connected_regions_with_blocks_and_no_rectangle() {
        for variant in JIGSAW.variants {
            let (mut rng, size) = (Rng::from_seed(1), usize::from(variant.size));
            for _ in 0..COUNT {
                let numbers = random(variant, &mut rng).unwrap();
                let mut layout = Layout { size, regions: vec![0; size] };
                (0..).zip(&numbers).for_each(|(cell, number)| layout.regions[usize::from(*number)] |= 1 << cell);
                let is_fit = |region: &Cells| region.count_ones() as usize == size && layout.is_connected(*region);
                assert!(layout.is_shapely() && layout.regions.iter().all(is_fit), "{layout:?}");
            }
        }
    }

    #[test]
    fn layout_moves_at_most_two_cells_for_each_of_12_to_20_swaps() {
        for variant in JIGSAW.variants {
            let (mut rng, mut shapely) = (Rng::from_seed(2), 0);
            for count in (0..COUNT).map(|number| SWAPS[0] + number % (SWAPS[1] - SWAPS[0] + 1)) {
                let first = Layout::first(variant.size.into());
                let mut layout = first.clone();
                if layout.change(count, &mut rng) {
                    shapely += usize::from(layout.is_shapely());
                    let both = first.regions.iter().zip(&layout.regions);
                    let moved: u32 = both.map(|(old, new)| (old & !new).count_ones()).sum();
                    assert!(moved as usize <= 2 * count, "{} {moved}", variant.name);
                }
            }
            assert!(10 * shapely > COUNT, "{} {shapely}", variant.name);
        }
    }

    #[test]
    fn squares_and_rectangles_are_told_from_other_shapes() {
        let layout = Layout::first(6);
        for (cells, is_connected, has_block, is_rectangle) in [
            ([0, 1, 2, 6, 7, 8], true, true, true),
            ([0, 1, 6, 7, 12, 13], true, true, true),
            ([0, 1, 2, 3, 4, 5], true, false, true),
            ([0, 1, 2, 3, 6, 7], true, true, false),
            ([4, 5, 6, 10, 11, 12], false, true, false),
            ([5, 6, 11, 12, 17, 18], false, false, false),
            ([0, 1, 7, 8, 14, 15], true, false, false),
        ] {
            let region = cells.into_iter().fold(0, |region, cell| region | 1 << cell);
            let found = (layout.is_connected(region), layout.has_block(region), layout.is_rectangle(region));
            assert_eq!(found, (is_connected, has_block, is_rectangle), "{cells:?}");
        }
    }
}
