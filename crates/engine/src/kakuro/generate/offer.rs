//! The small boards on which a level is too rare to be offered. Boards outside the table are allowed.
//!
//! `cargo bench --bench hits -- --boards` prints, for each level and each board up to 6x6, whether one core makes at least 6 puzzles in
//! 60 seconds. A level that is missing here is made on all of them.

use crate::{
    kakuro::{VARIANTS, variant::Variant},
    shared::{
        level::Level,
        spec::{Difficulty, Spec, SpecError},
    },
};

/// The boards, by width and height, on which a level is not made.
const REFUSED: [(Level, &[(usize, usize)]); 2] =
    [(Level::Expert, &[(4, 4)]), (Level::Evil, &[(4, 4), (4, 5), (4, 6), (5, 4), (5, 5), (5, 6), (6, 4), (6, 5)])];

/// Refuses a spec if none of the levels that it touches is made on its board.
pub(super) fn check(spec: &Spec, variant: &Variant) -> Result<(), SpecError> {
    let info = &VARIANTS[0];
    if info.touched(spec.difficulty).any(|level| is_made(level, variant)) {
        return Ok(());
    }
    let board = variant.base();
    let names = |levels: Vec<Level>| levels.iter().map(|level| level.name()).collect::<Vec<_>>().join(", ");
    let touched = names(info.touched(spec.difficulty).collect());
    let made = names(info.levels.iter().map(|border| border.level).filter(|level| is_made(*level, variant)).collect());
    let field = if let Difficulty::Level(_) = spec.difficulty { "level" } else { "min_rating" };
    Err(SpecError::Invalid { field, reason: format!("{touched} is not made on {board}; {board} has {made}") })
}

/// Whether a level is offered on a board. The table has no options and layouts, so the check accepts them.
fn is_made(level: Level, variant: &Variant) -> bool {
    let is_plain = variant.name() == variant.base();
    let refused = REFUSED.iter().filter(|(of, _)| *of == level).flat_map(|(_, boards)| *boards);
    !(is_plain && refused.into_iter().any(|board| *board == (variant.width, variant.height)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        kakuro::Kakuro,
        shared::{kind::PuzzleKind, level::Tenths},
        toy::toy_spec,
    };

    #[test]
    fn level_that_a_small_board_lacks_is_refused() {
        let refused = |variant: &str, difficulty| {
            let spec = Spec { kind: "kakuro".to_owned(), variant: variant.to_owned(), difficulty, ..toy_spec() };
            Kakuro.check_spec(&spec).err().map(|error| error.to_string())
        };
        let [hard, evil] = [Level::Hard, Level::Evil].map(Difficulty::Level);
        let reason = "evil is not made on 4x4; 4x4 has easy, medium, hard";
        assert_eq!(refused("4x4", evil), Some(format!("level: {reason}")));
        let range = |min, max| Difficulty::Range { min: Tenths(min), max: Tenths(max) };
        assert_eq!(refused("4x4", range(70, 79)), Some(format!("min_rating: {reason}")));
        for (variant, difficulty) in [("4x4", hard), ("4x4", range(59, 79)), ("6x6", evil), ("5x5-white70", evil)] {
            assert_eq!(refused(variant, difficulty), None, "{variant} {difficulty:?}");
        }
    }
}
