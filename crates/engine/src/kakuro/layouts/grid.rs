//! The white cells of a layout while it is being made. The outer row and column are always blocks.

/// Whether each cell is white, row by row.
#[derive(Debug, Clone)]
pub(crate) struct White {
    width: usize,
    height: usize,
    signs: Vec<bool>,
}

impl White {
    /// A board whose inner cells are all white.
    pub(crate) fn full(width: usize, height: usize) -> Self {
        let signs = (0..width * height).map(|cell| cell >= width && cell % width > 0).collect();
        Self { width, height, signs }
    }

    /// A board with these cells.
    pub(crate) fn of_signs(width: usize, height: usize, signs: Vec<bool>) -> Self {
        Self { width, height, signs }
    }

    pub(crate) fn width(&self) -> usize {
        self.width
    }

    pub(crate) fn height(&self) -> usize {
        self.height
    }

    pub(crate) fn signs(&self) -> &[bool] {
        &self.signs
    }

    pub(crate) fn is_white(&self, cell: usize) -> bool {
        self.signs[cell]
    }

    pub(crate) fn set(&mut self, cell: usize, white: bool) {
        self.signs[cell] = white;
    }

    /// The length of the run through a white cell, in the direction of `step`.
    pub(crate) fn run_len(&self, cell: usize, step: usize) -> usize {
        1 + self.reach(cell, step) + self.reach_back(cell, step)
    }

    fn reach(&self, cell: usize, step: usize) -> usize {
        let row_end = (cell / self.width + 1) * self.width;
        let end = if step == 1 { row_end } else { self.signs.len() };
        (cell + step..end).step_by(step).take_while(|&next| self.signs[next]).count()
    }

    /// Counts the white cells before `cell`. No other bound is needed, because the outer row and column are blocks.
    fn reach_back(&self, cell: usize, step: usize) -> usize {
        (1..=cell / step).take_while(|&back| self.signs[cell - back * step]).count()
    }

    /// The white neighbors that this block isolates: each would be a run of one cell in its row or column.
    pub(crate) fn stranded_by(&self, block: usize) -> impl Iterator<Item = usize> {
        let row_ends = (block + 1).is_multiple_of(self.width);
        let right = if row_ends { block - 1 } else { block + 1 };
        let below = if block + self.width < self.signs.len() { block + self.width } else { block - self.width };
        let neighbors = [(block - 1, 1), (right, 1), (block - self.width, self.width), (below, self.width)];
        let alone = |&(cell, step): &(usize, usize)| self.signs[cell] && self.run_len(cell, step) == 1;
        neighbors.into_iter().filter(alone).map(|(cell, _)| cell)
    }

    /// The lengths of all runs, across and down.
    pub(crate) fn run_lengths(&self) -> Vec<usize> {
        let mut lengths = Vec::new();
        for step in [1, self.width] {
            let first = |&cell: &usize| self.signs[cell] && !self.signs[cell - step];
            lengths.extend((0..self.signs.len()).filter(first).map(|cell| self.run_len(cell, step)));
        }
        lengths
    }
}
