//! Star battle, a kind of the grid layer: one star in each row, column, and region, and stars do not touch. The clues are the regions.

mod regions;
mod sentences;

use std::sync::LazyLock;

use crate::{
    grid::{
        find::Technique,
        kind::GridKind,
        rules::House,
        techniques::{REFUTATIONS, fish, hidden_single, rung, seen_by_all, seen_in_house},
        variant::{Areas, Content, GridVariant, Group},
    },
    shared::{
        level::{Level, LevelBorder, Tenths},
        symmetry::{Symmetry, SymmetryInfo},
    },
};
use regions::Regions;

/// The engine version that has the first of these variants.
const SINCE: u32 = 18;

/// The kind.
pub(crate) static STAR_BATTLE: GridKind = GridKind {
    name: "star_battle",
    since: SINCE,
    default_variant: "8x8",
    meaning: "6x6 to 10x10: the size of the board",
    variants: &VARIANTS,
    infos: LazyLock::new(|| VARIANTS.iter().map(GridVariant::info).collect()),
    shape: &Regions,
};

static VARIANTS: [GridVariant; 5] =
    [board("6x6", 6), board("7x7", 7), board("8x8", 8), board("9x9", 9), board("10x10", 10)];

const fn board(name: &'static str, size: u8) -> GridVariant {
    GridVariant {
        kind: "star_battle",
        name,
        rules: "Place one star in each row, column, and region so that no two stars touch, not even diagonally.",
        since: SINCE,
        size,
        areas: Areas::Regions,
        extra: &[],
        content: Content::Stars,
        group: Group::Turns,
        ladder: LADDER,
        levels: &LEVELS,
        symmetries: &[SymmetryInfo { symmetry: Symmetry::None, since: SINCE }],
        givens: None,
        styles: &[],
    }
}

/// Exclusion and counting are the usual words of guides for players.
const LADDER: &[Technique] = &[
    rung("Last Place", 10, |t, p, take| hidden_single(|_| true, t, p, take), sentences::last_place),
    rung("Region in Line", 13, |t, p, take| seen_in_house(House::is_area, t, p, take), sentences::in_house),
    rung("Line in Region", 15, |t, p, take| seen_in_house(House::is_line, t, p, take), sentences::in_house),
    rung("Exclusion", 20, |t, p, take| seen_by_all(|_| true, t, p, take), sentences::exclusion),
    rung("Counting Two Houses", 30, |t, p, take| fish(2, t, p, take), sentences::counting),
    rung("Counting Three Houses", 35, |t, p, take| fish(3, t, p, take), sentences::counting),
    rung("Counting Four Houses", 45, |t, p, take| fish(4, t, p, take), sentences::counting),
    Technique { sentence: sentences::refutation, ..REFUTATIONS },
];

const LEVELS: [LevelBorder; 5] = [
    level(Level::Easy, 10, 15, "one look at a region and a line: the star of one lies in the other, or has one place"),
    level(Level::Medium, 16, 29, "a cell has no star because it would leave a region or line no place"),
    level(Level::Hard, 30, 34, "two regions share two lines, so their stars are counted together"),
    level(Level::Expert, 35, 54, "three or four regions share as many lines"),
    level(Level::Evil, 55, 94, "a star is refuted by several rounds of last places"),
];

const fn level(level: Level, min: u8, max: u8, reason: &'static str) -> LevelBorder {
    LevelBorder { level, min: Tenths(min), max: Tenths(max), reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        grid::{
            ladder::climb, make::make, position::Position, rate::reasoned, rules::Rules,
            techniques::checker::check_steps, text::parse,
        },
        shared::{budget::Budget, resolve::OpenSpec, rng::Rng, spec::Difficulty, tries::Try},
    };

    #[test]
    fn checker_derives_each_step_and_no_star_is_found_below_its_level() {
        let mut budget = Budget::of_nodes(u64::MAX);
        for (info, border) in STAR_BATTLE.infos.iter().flat_map(|info| LEVELS.map(|border| (info, border))) {
            let difficulty = Difficulty::Level(border.level);
            let open = OpenSpec { symmetry: None, difficulty, min_givens: None, max_givens: None, technique: None };
            let spec = info.resolve("star_battle", info.name, &open).unwrap();
            let mut tries = (0..).map(|seed| make(&STAR_BATTLE, &spec, &mut Rng::from_seed(seed), &mut budget));
            for _ in 0..3 {
                let made = tries.find_map(|ended| if let Try::Made(made) = ended { Some(made) } else { None }).unwrap();
                let puzzle = parse(&STAR_BATTLE, "", &made.text).unwrap();
                let (rules, below) = (Rules::of(&puzzle), Tenths(border.min.0 - 1));
                assert!(!climb(&mut Position::empty(&rules), LADDER, below).solved, "{} by {below}", made.text);
                let mut steps = reasoned(&puzzle, &mut Budget::of_nodes(0)).steps;
                assert_eq!(check_steps(&puzzle, &steps, &mut Budget::of_nodes(u64::MAX)), Ok(()), "{}", made.text);
                for step in &mut steps {
                    step.houses.clear();
                }
                assert!(check_steps(&puzzle, &steps, &mut Budget::of_nodes(u64::MAX)).is_err(), "{}", made.text);
            }
        }
    }
}
