//! Counts the ancestors of each node in a dynamic net. A node can have several parents with common ancestors, so the
//! counts of the parents do not add up, and the ancestors are stored as sets.

use super::{net::Net, nodes::Node};

/// The number of words in a set of nodes. A net has at most 1,458.
const WORDS: usize = 23;

/// A set of nodes by their number, which is their order in the net. A node has the highest number of its own set, so
/// the set is only as long as that number requires.
type Row = [u64; WORDS];

/// The ancestors of each node by number, including the node itself. If a single true node removed a node, that node has
/// no row, because its ancestors are those of its parent.
#[derive(Debug, Default)]
pub(super) struct Ancestry {
    rows: Vec<Row>,
}

impl Ancestry {
    /// The number of nodes in the derivation of a node, including itself. The node must be the next one of the net. Its
    /// ancestors are stored.
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

/// Whether a single true node removed this node.
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
