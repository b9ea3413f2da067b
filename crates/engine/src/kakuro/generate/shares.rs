//! The shares of white cells of the layouts that the generator makes if a name states none.

use crate::{kakuro::variant::Variant, shared::rng::Rng};

/// For boards of up to this many inner cells, the lowest and the highest minimum share of white cells, in percent. Magazines print 68
/// to 74 %. On large boards, a higher share takes longer to fill; on small ones, the rules on blocks decide it. The times come from
/// `cargo bench --bench hits -- --layouts 200`.
const SHARES: [(usize, [usize; 2]); 6] =
    [(36, [62, 68]), (63, [68, 74]), (121, [68, 72]), (196, [68, 70]), (361, [66, 68]), (usize::MAX, [64, 66])];

/// The lowest and the highest minimum share of white cells of a variant's layouts, in percent. Both are the stated one, if any.
pub(super) fn limits(variant: &Variant) -> [usize; 2] {
    let cells = (variant.width - 1) * (variant.height - 1);
    let of_size = SHARES.iter().find(|(cells_max, _)| cells <= *cells_max).map(|(_, limits)| *limits);
    of_size.filter(|_| variant.white_stated().is_none()).unwrap_or([variant.white_min; 2])
}

/// The minimum share of white cells of one layout, in percent.
pub(super) fn draw(variant: &Variant, rng: &mut Rng) -> usize {
    let [min, max] = limits(variant);
    min + rng.index(max - min + 1)
}
