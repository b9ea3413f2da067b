//! What the nodes of a dynamic net were derived from, as sets: a node can have several parents, and these ancestors in
//! common, so that counts do not add up.

use super::{net::Net, nodes::Node};

/// Words of a set of nodes; a net may hold all 1458.
const WORDS: usize = 23;

/// Nodes by their numbers in the order in which the net got them. A node's own number is the highest, so the set is only
/// as long as that needs.
type Row = [u64; WORDS];

/// By the number of a node, its ancestors and itself. One that was ruled out by a single true node has no row: it has
/// its parent's and itself.
#[derive(Debug, Default)]
pub(super) struct Ancestry {
    rows: Vec<Row>,
}

impl Ancestry {
    /// How many nodes it takes to derive a node, itself included, which comes next to a net; its ancestors are noted.
    pub(super) fn count(&mut self, net: &Net, node: Node, parents: &[Node]) -> u16 {
        if is_plain(node, parents) {
            return net.count(parents[0]) + 1;
        }
        let number = net.len();
        if self.rows.len() <= number {
            self.rows.resize(number + 64, [0; WORDS]);
        }
        let (earlier, own) = self.rows.split_at_mut(number);
        let row = &mut own[0][..=number / 64];
        row.fill(0);
        row[number / 64] |= bit(number);
        for &parent in parents {
            let (mut at, grandparents) = (net.number(parent), net.parents(net.origin(parent).parents));
            if is_plain(parent, grandparents) {
                row[at / 64] |= bit(at);
                at = net.number(grandparents[0]);
            }
            row.iter_mut().zip(&earlier[at][..=at / 64]).for_each(|(word, of_parent)| *word |= of_parent);
        }
        if let [only] = parents { net.count(*only) + 1 } else { len(row) }
    }
}

/// Whether a node was ruled out by a single true one.
fn is_plain(node: Node, parents: &[Node]) -> bool {
    !node.is_on() && matches!(parents, [parent] if parent.is_on())
}

const fn bit(number: usize) -> u64 {
    1 << (number % 64)
}

#[expect(clippy::cast_possible_truncation, reason = "there are 1458 nodes")]
fn len(words: &[u64]) -> u16 {
    words.iter().map(|word| word.count_ones()).sum::<u32>() as u16
}
