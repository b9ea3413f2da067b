//! [`RepeatHash`], which isomorphs have in common, and the class that follows from it.

use std::{fmt, str::FromStr};

use puzzled_engine::shared::names::quoted;
use sha2::{Digest as _, Sha256};

/// The hash of what an audience must not get twice; see [`Self::of`]. Its text form has 32 hexadecimal digits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RepeatHash(pub [u8; 16]);

impl RepeatHash {
    /// The hash of a puzzle: 128 bits of FNV-1a over the kind, the variant, and the form of the solution, which some kinds replace with the
    /// canonical form of the puzzle. A collision is unlikely at any size of the stock.
    #[must_use]
    pub fn of(kind: &str, variant: &str, solved: &str) -> Self {
        const START: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
        const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
        let bytes = [kind, "/", variant, "/", solved].into_iter().flat_map(str::bytes);
        Self(bytes.fold(START, |hash, byte| (hash ^ u128::from(byte)).wrapping_mul(PRIME)).to_be_bytes())
    }

    /// The class of a puzzle, equal for all puzzles with this hash: the first 32 hexadecimal digits of the SHA-256 of the hash. Its digits
    /// are even, so that a split of a data set may use any of them; those of the hash are not: the lowest bit is the same for all
    /// Sudokus 9x9.
    #[must_use]
    pub fn class(self) -> String {
        let digest = Sha256::digest(self.0);
        digest.iter().take(16).fold(String::with_capacity(32), |class, byte| class + &format!("{byte:02x}"))
    }
}

impl fmt::Display for RepeatHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", u128::from_be_bytes(self.0))
    }
}

impl FromStr for RepeatHash {
    type Err = String;

    /// Accepts lower-case and upper-case digits. The error has the text and what is allowed.
    fn from_str(text: &str) -> Result<Self, String> {
        // A number may have a sign, and a hash may not.
        let is_hash = text.len() == 32 && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        let number = is_hash.then(|| u128::from_str_radix(text, 16).ok()).flatten();
        let fault = || format!("{} is not a repeat hash; use 32 hexadecimal digits", quoted(text));
        number.map(|number| Self(number.to_be_bytes())).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use super::*;
    use puzzled_engine::{
        registry,
        shared::{
            criteria::Criteria,
            job_index::{IndexOutcome, JobIndex, first_hit},
            kind::View,
            rng::Rng,
        },
    };

    #[test]
    fn hash_and_class_never_change() {
        let hash = RepeatHash::of("sudoku", "9x9", "123");
        assert_eq!(hash.to_string(), "2c4bf5518bc16e21e9d9c70107b20218");
        assert_eq!(hash.to_string().to_uppercase().parse(), Ok(hash));
        assert_eq!(hash.class(), "4e1456b29d1e39c129619804fc1ff2d2");
    }

    /// Puzzles of each variant, without and with `PUZZLED_SOAK=1`.
    const PUZZLES: [u32; 2] = [1_000, 10_000];

    /// Isomorphs of each puzzle.
    const ISOMORPHS: u64 = 20;

    #[test]
    fn isomorphs_have_one_class_and_the_documented_split_its_shares() {
        let variants = [("sudoku", "9x9"), ("sudoku", "6x6"), ("star_battle", "8x8"), ("binairo", "8x8")];
        let puzzles = PUZZLES[usize::from(is_soak())];
        std::thread::scope(|scope| {
            for (name, variant) in variants {
                scope.spawn(move || check_split(name, variant, puzzles));
            }
        });
    }

    #[expect(clippy::disallowed_methods, reason = "the environment says so to the tests")]
    fn is_soak() -> bool {
        std::env::var("PUZZLED_SOAK").is_ok_and(|soak| soak == "1")
    }

    /// Splits puzzles as `docs/datasets.md` does.
    fn check_split(name: &str, variant: &str, puzzles: u32) {
        let kind = registry::kind(name).unwrap();
        let criteria = Criteria { variant: Some(variant.to_owned()), ..Criteria::default() };
        let spec = criteria.resolve(kind).unwrap();
        let class = |text: &str, solution: &str| {
            RepeatHash::of(name, variant, &kind.solved(variant, text, solution).unwrap()).class()
        };
        let mut sides = [0_u32; 3];
        for index in 0..puzzles {
            let at = JobIndex { kind, spec: &spec, seed: 3, index };
            let outcome = first_hit(&at, 0..10_000, &AtomicBool::new(false), &mut |_| ());
            let IndexOutcome::Hit { made, .. } = outcome else { panic!("{outcome:?}") };
            let of_puzzle = RepeatHash::of(name, variant, &made.solved).class();
            sides[usize::from(&of_puzzle[..2] >= "cc") + usize::from(&of_puzzle[..2] >= "e6")] += 1;
            let view = View { variant, symmetry: spec.symmetry, text: &made.text, solution: &made.solution };
            for seed in 0..ISOMORPHS {
                let turned = kind.scramble(&view, &mut Rng::from_seed(seed)).unwrap().unwrap();
                assert_eq!(class(&turned.text, &turned.solution), of_puzzle, "{name} {variant}: {}", made.text);
            }
        }
        for (side, percent) in sides.into_iter().zip([80.0, 10.0, 10.0]) {
            let share = f64::from(side) / f64::from(puzzles) * 100.0;
            assert!((share - percent).abs() < 4.0, "{name} {variant}: {sides:?} of {puzzles}");
        }
    }

    #[test]
    fn text_of_a_hash_has_32_hexadecimal_digits() {
        let digits = "0123456789abcdef";
        for text in ["", digits, &format!("+{digits}{}", &digits[1..]), &format!("{digits}{digits}0"), &"g".repeat(32)]
        {
            let fault = text.parse::<RepeatHash>().unwrap_err();
            assert!(fault.ends_with(" is not a repeat hash; use 32 hexadecimal digits"), "{fault}");
        }
    }
}
