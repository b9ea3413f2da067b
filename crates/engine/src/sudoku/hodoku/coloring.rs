//! Coloring (Simple Colors and Multi Colors): pairs connect places of a digit into clusters of two colors, exactly one
//! of which is true.

use super::{
    position::Position,
    step::{Candidate, Effect},
};
use crate::sudoku::techniques::geometry::{Cells, HOMES, SEEN, cells, one};

/// Places of one digit that pairs connect, in two colors: if one color is true, the other is false.
#[derive(Debug, Clone, Copy, Default)]
struct Cluster([Cells; 2]);

/// More than the number of clusters that a digit can have, because each cluster has its own pair.
const CLUSTERS_MAX: usize = 40;

/// The clusters of a digit, ordered by their lowest cell.
fn clusters(position: &Position, digit: usize) -> ([Cluster; CLUSTERS_MAX], usize) {
    let (mut found, mut len) = ([Cluster::default(); CLUSTERS_MAX], 0);
    let in_pair = |cell: &usize| HOMES[*cell].iter().any(|&(house, _)| position.free(house, digit) == 2);
    let mut open: Cells = cells(position.of_digit(digit)).filter(in_pair).map(one).sum();
    while let Some(cell) = cells(open).next() {
        let mut cluster = Cluster::default();
        color(position, digit, cell, 0, &mut open, &mut cluster);
        if cluster.0.iter().all(|&cells| cells != 0) && len < CLUSTERS_MAX {
            found[len] = cluster;
            len += 1;
        }
    }
    (found, len)
}

/// Colors a cell and everything connected to it. Each call removes a cell from `open`, so the depth is at most the size
/// of the cluster.
fn color(position: &Position, digit: usize, cell: usize, which: usize, open: &mut Cells, cluster: &mut Cluster) {
    if *open & one(cell) == 0 {
        return;
    }
    *open &= !one(cell);
    cluster.0[which] |= one(cell);
    for (house, _) in HOMES[cell] {
        if position.free(house, digit) == 2 {
            for partner in cells(position.places(house, digit) & !one(cell)) {
                color(position, digit, partner, 1 - which, open, cluster);
            }
        }
    }
}

/// The cells that some cell of a set sees.
fn seen_by(set: Cells) -> Cells {
    cells(set).fold(0, |seen, cell| seen | SEEN[cell])
}

fn with_digit(digit: usize, set: Cells) -> impl Iterator<Item = Candidate> {
    cells(set).map(move |cell| (cell, digit))
}

/// If two cells of one color see each other, that color is false. A place that sees both colors is false too: Simple
/// Colors.
pub(super) fn simple(position: &Position) -> Option<Effect> {
    (1..10).find_map(|digit| {
        let (clusters, len) = clusters(position, digit);
        clusters[..len].iter().find_map(|Cluster([first, second])| {
            let clash = |set: Cells| if seen_by(set) & set == 0 { 0 } else { set };
            let wrapped = with_digit(digit, clash(*first)).chain(with_digit(digit, clash(*second)));
            let trapped = position.of_digit(digit) & seen_by(*first) & seen_by(*second);
            Effect::remove(wrapped).or_else(|| Effect::remove_digit(digit, trapped))
        })
    })
}

/// If a color of one cluster sees both colors of another, it is false. If colors of two clusters see each other, one of
/// their opposites is true, and places that see both opposites are false: Multi Colors.
pub(super) fn multi(position: &Position) -> Option<Effect> {
    (1..10).find_map(|digit| {
        let (clusters, len) = clusters(position, digit);
        let pairs = (0..len).flat_map(|i| (0..len).filter(move |&j| i != j).map(move |j| [clusters[i], clusters[j]]));
        pairs.into_iter().find_map(|[Cluster([a, b]), Cluster([c, d])]| {
            let sees = |set: Cells, other: Cells| seen_by(set) & other != 0;
            let torn = |set: Cells| if sees(set, c) && sees(set, d) { set } else { 0 };
            let by_tear = Effect::remove(with_digit(digit, torn(a)).chain(with_digit(digit, torn(b))));
            by_tear.or_else(|| {
                let links = [(a, c, b, d), (a, d, b, c), (b, c, a, d), (b, d, a, c)];
                let trapped = |&(one, other, opposite, other_opposite): &(Cells, Cells, Cells, Cells)| {
                    let both = position.of_digit(digit) & seen_by(opposite) & seen_by(other_opposite);
                    if sees(one, other) { both } else { 0 }
                };
                Effect::remove(links.iter().flat_map(|link| with_digit(digit, trapped(link))))
            })
        })
    })
}
