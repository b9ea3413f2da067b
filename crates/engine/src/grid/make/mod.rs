//! Makes puzzles: fills a board, takes clues away, and steers to a level.

/// How the puzzles of a kind are made.
pub(crate) trait Shape: Sync {}

/// Kinds whose clues are digits of the solution.
pub(crate) struct Givens;

impl Shape for Givens {}
pub(crate) fn check_spec(
    kind: &'static super::kind::GridKind,
    s: &crate::shared::spec::Spec,
) -> Result<(), crate::shared::spec::SpecError> {
    kind.infos.iter().find(|i| i.name == s.variant).unwrap().check_difficulty(kind.name, s.difficulty)
}
pub(crate) fn make(
    _: &'static super::kind::GridKind,
    _: &crate::shared::spec::Spec,
    _: &mut crate::shared::rng::Rng,
    _: &mut crate::shared::budget::Budget<'_>,
) -> crate::shared::tries::Try {
    crate::shared::tries::Try::Cancelled
}
