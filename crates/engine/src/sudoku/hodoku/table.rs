//! HoDoKu's techniques in the order in which it tries them, with its levels and scores.

use serde::{Deserialize, Serialize};

use super::{
    almost_locked_steps, chains, coloring, fish, forcing, franken, loops, nets, remote_pairs,
    search::{Fish, Search},
    simple, single_digit,
    step::Effect,
    sue_de_coq,
    uniqueness::{self, Kind, unique_rectangle},
    wings,
};

/// HoDoKu's levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum HodokuLevel {
    /// Needs only singles.
    #[default]
    Easy,
    /// Needs locked candidates or subsets.
    Medium,
    /// Needs patterns of one digit, wings, uniqueness, or coloring.
    Hard,
    /// Needs chains, finned fish, or almost locked sets.
    Unfair,
    /// Needs forcing chains, nets, or guesses.
    Extreme,
}

impl HodokuLevel {
    /// All levels, the easiest first.
    pub const ALL: [Self; 5] = [Self::Easy, Self::Medium, Self::Hard, Self::Unfair, Self::Extreme];

    /// HoDoKu's name of the level.
    #[must_use]
    pub const fn name(self) -> &'static str {
        ["Easy", "Medium", "Hard", "Unfair", "Extreme"][self as usize]
    }

    /// Its number, from 1 for Easy to 5.
    #[must_use]
    pub const fn number(self) -> u32 {
        self as u32 + 1
    }

    /// The maximum score of a puzzle of this level.
    #[must_use]
    pub fn score_max(self) -> u32 {
        [800, 1_000, 1_600, 1_800, u32::MAX][self as usize]
    }

    /// The level of a puzzle: that of its hardest technique, or the first higher level that allows the score.
    pub(super) fn of(hardest: Self, score: u32) -> Self {
        Self::ALL.into_iter().find(|&level| level >= hardest && score <= level.score_max()).unwrap_or(Self::Extreme)
    }
}

/// A technique with HoDoKu's score for each of its steps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HodokuTechnique {
    /// HoDoKu's name.
    pub name: &'static str,
    /// The level of the technique. A puzzle that needs it has at least this level.
    pub level: HodokuLevel,
    /// The score of one step.
    pub score: u32,
}

pub(super) type Technique = HodokuTechnique;

const fn technique(name: &'static str, level: HodokuLevel, score: u32) -> Technique {
    Technique { name, level, score }
}

use HodokuLevel::{Easy, Extreme, Hard, Medium, Unfair};

pub(super) static FULL_HOUSE: Technique = technique("Full House", Easy, 4);
pub(super) static NAKED_SINGLE: Technique = technique("Naked Single", Easy, 4);
pub(super) static HIDDEN_SINGLE: Technique = technique("Hidden Single", Easy, 14);
/// Brute Force: looks up the digit of the middle empty cell.
pub(super) static BRUTE_FORCE: Technique = technique("Brute Force", Extreme, 10_000);

/// Finds a technique's step in a position without singles.
type Finder = fn(&Search<'_>) -> Option<Effect>;

/// A technique and its finder.
pub(super) type Rung = (Technique, Finder);

/// The techniques between the singles and the guess, in the order of HoDoKu's default configuration.
pub(super) static LADDER: [Rung; 53] = [
    (technique("Locked Pair", Medium, 40), |search| simple::naked(search.position, 2, true)),
    (technique("Locked Triple", Medium, 60), |search| simple::naked(search.position, 3, true)),
    (technique("Locked Candidates Type 1 (Pointing)", Medium, 50), |search| simple::pointing(search.position)),
    (technique("Locked Candidates Type 2 (Claiming)", Medium, 50), |search| simple::claiming(search.position)),
    (technique("Naked Pair", Medium, 60), |search| simple::naked(search.position, 2, false)),
    (technique("Naked Triple", Medium, 80), |search| simple::naked(search.position, 3, false)),
    (technique("Hidden Pair", Medium, 70), |search| simple::hidden(search.position, 2)),
    (technique("Hidden Triple", Medium, 100), |search| simple::hidden(search.position, 3)),
    (technique("Naked Quadruple", Hard, 120), |search| simple::naked(search.position, 4, false)),
    (technique("Hidden Quadruple", Hard, 150), |search| simple::hidden(search.position, 4)),
    (technique("X-Wing", Hard, 140), |search| fish::plain(search, Fish::XWing, 2)),
    (technique("Swordfish", Hard, 150), |search| fish::plain(search, Fish::Swordfish, 3)),
    (technique("Jellyfish", Hard, 160), |search| fish::plain(search, Fish::Jellyfish, 4)),
    (technique("Remote Pair", Hard, 110), |search| remote_pairs::remote_pair(search.position)),
    (technique("Bivalue Universal Grave + 1", Hard, 100), |search| uniqueness::grave(search.position)),
    (technique("Skyscraper", Hard, 130), |search| single_digit::skyscraper(search.position)),
    (technique("2-String Kite", Hard, 150), |search| single_digit::kite(search.position)),
    (technique("Turbot Fish", Hard, 120), |search| chains::turbot(search)),
    (technique("Empty Rectangle", Hard, 120), |search| single_digit::empty_rectangle(search.position)),
    (technique("W-Wing", Hard, 150), |search| wings::w_wing(search.position)),
    (technique("XY-Wing", Hard, 160), |search| wings::xy_wing(search.position)),
    (technique("XYZ-Wing", Hard, 180), |search| wings::xyz_wing(search.position)),
    (technique("Uniqueness Test 1", Hard, 100), |search| unique_rectangle(search.position, Kind::Type1)),
    (technique("Uniqueness Test 2", Hard, 100), |search| unique_rectangle(search.position, Kind::Type2)),
    (technique("Uniqueness Test 3", Hard, 100), |search| unique_rectangle(search.position, Kind::Type3)),
    (technique("Uniqueness Test 4", Hard, 100), |search| unique_rectangle(search.position, Kind::Type4)),
    (technique("Uniqueness Test 5", Hard, 100), |search| unique_rectangle(search.position, Kind::Type5)),
    (technique("Uniqueness Test 6", Hard, 100), |search| unique_rectangle(search.position, Kind::Type6)),
    (technique("Hidden Rectangle", Hard, 100), |search| unique_rectangle(search.position, Kind::Hidden)),
    (technique("Avoidable Rectangle Type 1", Hard, 100), |search| uniqueness::avoidable_1(search.position)),
    (technique("Avoidable Rectangle Type 2", Hard, 100), |search| uniqueness::avoidable_2(search.position)),
    (technique("Finned X-Wing", Hard, 130), |search| fish::finned(search, Fish::FinnedXWing, 2, false)),
    (technique("Sashimi X-Wing", Hard, 150), |search| fish::finned(search, Fish::SashimiXWing, 2, true)),
    (technique("Finned Swordfish", Unfair, 200), |search| fish::finned(search, Fish::FinnedSwordfish, 3, false)),
    (technique("Sashimi Swordfish", Unfair, 240), |search| fish::finned(search, Fish::SashimiSwordfish, 3, true)),
    (technique("Finned Jellyfish", Unfair, 250), |search| fish::finned(search, Fish::FinnedJellyfish, 4, false)),
    (technique("Sashimi Jellyfish", Unfair, 260), |search| fish::finned(search, Fish::SashimiJellyfish, 4, true)),
    (technique("Sue de Coq", Unfair, 250), |search| sue_de_coq::sue_de_coq(search.position)),
    (technique("Simple Colors", Hard, 150), |search| coloring::simple(search.position)),
    (technique("Multi Colors", Hard, 200), |search| coloring::multi(search.position)),
    (technique("X-Chain", Unfair, 260), |search| chains::x_chain(search)),
    (technique("XY-Chain", Unfair, 260), |search| chains::xy_chain(search)),
    (technique("Nice Loop/AIC", Unfair, 280), |search| loops::nice_loop(search, false)),
    (technique("Grouped Nice Loop/AIC", Unfair, 300), |search| loops::nice_loop(search, true)),
    (technique("Almost Locked Set XZ-Rule", Unfair, 300), |search| almost_locked_steps::xz(search.almost_locked())),
    (technique("Almost Locked Set XY-Wing", Unfair, 320), |search| almost_locked_steps::xy_wing(search)),
    (technique("Almost Locked Set Chain", Unfair, 340), |search| almost_locked_steps::chain(search)),
    (technique("Franken X-Wing", Unfair, 300), |search| franken::franken(search, Fish::FrankenXWing, 2, false)),
    (technique("Franken Swordfish", Unfair, 350), |search| franken::franken(search, Fish::FrankenSwordfish, 3, false)),
    (technique("Finned Franken X-Wing", Unfair, 390), |search| {
        franken::franken(search, Fish::FinnedFrankenXWing, 2, true)
    }),
    (technique("Finned Franken Swordfish", Unfair, 410), |search| {
        franken::franken(search, Fish::FinnedFrankenSwordfish, 3, true)
    }),
    (technique("Forcing Chain", Extreme, 500), |search| forcing::forcing_chain(search)),
    (technique("Forcing Net", Extreme, 700), |search| nets::forcing_net(search)),
];
