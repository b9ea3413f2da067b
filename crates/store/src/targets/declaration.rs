//! Rule: decides how a configuration changes the stock targets and the daily series, when a process starts with it or reloads it. The
//! functions are pure: the store reads the targets and series before, in the transaction that changes them.

use std::{
    collections::{HashMap, HashSet},
    fmt::Display,
    hash::Hash,
};

use crate::{
    jobs::process::OlderProcess,
    targets::target::{StockTarget, Wish},
};
use puzzled_engine::shared::{spec::Spec, symmetry::Symmetry};

/// The name of a configuration that does not set `config_name`.
pub const NAME_DEFAULT: &str = "default";

/// The maximum number of characters in a configuration's name.
pub const NAME_LEN_MAX: usize = 64;

/// What a configuration can declare: a stock target or a daily series. It is shown in a few words.
pub trait Declarable: Clone + PartialEq + Display {
    /// Its form in the database.
    type Known;
    /// What identifies it: no two tables of a configuration have the same key.
    type Key: Eq + Hash;
    /// The header of its tables.
    const TABLE: &'static str;
    /// The word for several of them, in errors.
    const PLURAL: &'static str;
    /// What to do if there are too many, in errors.
    const REMEDY_IF_TOO_MANY: &'static str;
    /// Whether those that a declaration removes still count towards the limit.
    const REMOVED_COUNTS: bool;

    /// The key of this wish.
    fn key(&self) -> &Self::Key;

    /// The key of a target or series in the database.
    fn key_of(known: &Self::Known) -> &Self::Key;

    /// The configuration that has declared a target or series in the database.
    fn declared_by(known: &Self::Known) -> Option<&str>;

    /// How an operator takes a target or series from a configuration that is no longer used, in errors.
    fn remedy_if_unused(known: &Self::Known) -> String;

    /// Whether the target or series with the same key already has these values.
    fn is_met_by(&self, known: &Self::Known) -> bool;

    /// Why this wish cannot change the target or series with the same key. `table` is the number of its table.
    fn clash(&self, table: usize, known: &Self::Known) -> Option<Clash>;
}

impl Declarable for Wish {
    type Known = StockTarget;
    type Key = Spec;
    const TABLE: &'static str = "[[target]]";
    const PLURAL: &'static str = "stock targets";
    const REMEDY_IF_TOO_MANY: &'static str = "delete some, or raise `max_targets`";
    const REMOVED_COUNTS: bool = false;

    fn key(&self) -> &Spec {
        &self.spec
    }

    fn key_of(target: &StockTarget) -> &Spec {
        &target.wish.spec
    }

    fn declared_by(target: &StockTarget) -> Option<&str> {
        target.declared_by.as_deref()
    }

    fn remedy_if_unused(target: &StockTarget) -> String {
        format!("delete {}", target.id)
    }

    fn is_met_by(&self, target: &StockTarget) -> bool {
        target.wish == *self
    }

    fn clash(&self, _: usize, _: &StockTarget) -> Option<Clash> {
        None
    }
}

/// The stock targets or the series that a configuration declares, at most one per key.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration<W = Wish> {
    name: String,
    wishes: Vec<W>,
    /// The specs of the tables that state no symmetry. Their symmetry is that of the style of their level.
    open_symmetries: HashSet<Spec>,
}

impl<W> Default for Declaration<W> {
    /// The declaration of a configuration without tables.
    fn default() -> Self {
        Self { name: NAME_DEFAULT.to_owned(), wishes: Vec::new(), open_symmetries: HashSet::new() }
    }
}

/// The reason why a configuration cannot declare its stock targets or series. The tables of a file are counted
/// from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Clash {
    /// Two tables of the configuration have the same key.
    #[error("{header} {first} and {header} {second} are both for {puzzles}; delete one of them")]
    Twice {
        /// The header of the tables.
        header: &'static str,
        /// The earlier table.
        first: usize,
        /// The later table.
        second: usize,
        /// What they are for, in words.
        puzzles: String,
    },
    /// Another configuration has declared the same key.
    #[error(
        "{header} {table} of the configuration `{name}` is for {puzzles}, which the configuration `{other}` has declared, too; delete \
         one of the two tables; if the configuration `{other}` is no longer used, {remedy}"
    )]
    OfAnother {
        /// The header of the table.
        header: &'static str,
        /// The table.
        table: usize,
        /// The name of this configuration.
        name: String,
        /// What the table is for, in words.
        puzzles: String,
        /// The name of the other configuration.
        other: String,
        /// What to do if the other configuration is no longer used.
        remedy: String,
    },
    /// The series has another kind or variant.
    #[error(
        "[[series]] {table}: the series `{series}` is of {was} and cannot become one of {wanted}; give the new one another name"
    )]
    OtherPuzzles {
        /// The table.
        table: usize,
        /// The name of the series.
        series: String,
        /// Its kind and variant.
        was: String,
        /// The kind and variant of the table.
        wanted: String,
    },
    /// The days of the series would have different kinds, and a running process plans no such series.
    #[error(
        "[[series]] {table}: the series `{series}` has several kinds, and the process on {} has version {}, which draws no puzzles \
         for it; replace that process first", .older.host, .older.version
    )]
    Older {
        /// The table.
        table: usize,
        /// The name of the series.
        series: String,
        /// The process.
        older: OlderProcess,
    },
    /// The number of targets or series would exceed its limit.
    #[error("with the configuration `{name}`, there would be {number} {plural}; the limit is {max}; {remedy}")]
    TooMany {
        /// The name of this configuration.
        name: String,
        /// What they are called.
        plural: &'static str,
        /// Their number after the change, including those created by calls and by other configurations.
        number: usize,
        /// The limit.
        max: u32,
        /// What to do.
        remedy: &'static str,
    },
}

/// The change to one target or series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// It is new.
    Added,
    /// This configuration had declared it, and changes it.
    Changed,
    /// A call had created it, or it had ended. From now on, this configuration declares it, with the values of the
    /// configuration.
    Declared,
    /// The configuration no longer declares it: a target is deleted, a series ends.
    Removed,
    /// It does not change yet: a process of an older version runs, and would undo the change.
    Kept,
}

/// A target or a series that a declaration has changed or kept, as it is now, or as it was before its removal.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared<K = StockTarget> {
    /// The change.
    pub act: Act,
    /// The target or series.
    pub of: K,
}

/// A step that makes the targets or series match the declaration.
#[derive(Debug, PartialEq)]
pub(crate) enum Step<'a, W: Declarable> {
    Add(&'a W),
    /// The target or series gets this wish.
    Put(Act, &'a W::Known, &'a W),
    Remove(&'a W::Known),
}

impl<W: Declarable> Declaration<W> {
    /// Creates the declaration of the configuration `name`, with wishes in the order of its tables.
    ///
    /// # Errors
    /// [`Clash::Twice`] for the first key that occurs in two tables.
    pub fn new(name: String, wishes: Vec<W>) -> Result<Self, Clash> {
        let mut tables: HashMap<&W::Key, usize> = HashMap::new();
        for (second, wish) in (1..).zip(&wishes) {
            if let Some(first) = tables.insert(wish.key(), second) {
                return Err(Clash::Twice { header: W::TABLE, first, second, puzzles: wish.to_string() });
            }
        }
        Ok(Self { name, wishes, open_symmetries: HashSet::new() })
    }

    /// The configuration's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the same wishes under another name.
    #[must_use]
    pub fn under(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// Notes the specs of the tables that state no symmetry.
    #[must_use]
    pub fn with_open_symmetries(self, specs: impl IntoIterator<Item = Spec>) -> Self {
        Self { open_symmetries: specs.into_iter().collect(), ..self }
    }

    /// The wishes of its tables. If there are none, the declaration changes nothing.
    #[must_use]
    pub fn wishes(&self) -> &[W] {
        &self.wishes
    }

    /// Returns the steps: first removals, then new and changed ones in the order of the tables.
    pub(crate) fn steps<'a>(&'a self, known: &'a [W::Known], max: u32) -> Result<Vec<Step<'a, W>>, Clash> {
        if self.wishes.is_empty() {
            return Ok(Vec::new());
        }
        let by_key: HashMap<_, _> = known.iter().map(|known| (W::key_of(known), known)).collect();
        let is_own = |known: &W::Known| W::declared_by(known) == Some(&self.name);
        let is_gone = |known: &&W::Known| is_own(known) && !self.has(W::key_of(known));
        let mut steps: Vec<_> = known.iter().filter(is_gone).map(Step::Remove).collect();
        let mut number = known.len() - if W::REMOVED_COUNTS { 0 } else { steps.len() };
        for (table, wish) in (1..).zip(&self.wishes) {
            let Some(&known) = by_key.get(wish.key()) else {
                number += 1;
                steps.push(Step::Add(wish));
                continue;
            };
            match W::declared_by(known) {
                Some(other) if *other != self.name => return Err(self.of_another(table, wish, other, known)),
                by => {
                    if let Some(clash) = wish.clash(table, known) {
                        return Err(clash);
                    }
                    match by {
                        None => steps.push(Step::Put(Act::Declared, known, wish)),
                        Some(_) if !wish.is_met_by(known) => steps.push(Step::Put(Act::Changed, known, wish)),
                        Some(_) => {}
                    }
                }
            }
        }
        if steps.iter().any(|step| matches!(step, Step::Add(_))) && number > max as usize {
            let (plural, remedy) = (W::PLURAL, W::REMEDY_IF_TOO_MANY);
            return Err(Clash::TooMany { name: self.name.clone(), plural, number, max, remedy });
        }
        Ok(steps)
    }

    /// The wishes whose symmetry comes from a style, not from the table.
    pub(crate) fn open_symmetries(&self) -> impl Iterator<Item = &W>
    where
        W: Declarable<Key = Spec>,
    {
        let is_styled = |wish: &&W| wish.key().symmetry != Symmetry::None && self.open_symmetries.contains(wish.key());
        self.wishes.iter().filter(is_styled)
    }

    fn has(&self, key: &W::Key) -> bool {
        self.wishes.iter().any(|wish| wish.key() == key)
    }

    fn of_another(&self, table: usize, wish: &W, other: &str, known: &W::Known) -> Clash {
        let (name, puzzles, other) = (self.name.clone(), wish.to_string(), other.to_owned());
        Clash::OfAnother { header: W::TABLE, table, name, puzzles, other, remedy: W::remedy_if_unused(known) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_base::{clock::Millis, ids::TargetId};
    use puzzled_engine::toy::toy_spec;

    fn wish(variant: &str, count: u32) -> Wish {
        let spec = Spec { variant: variant.to_owned(), ..toy_spec() };
        Wish { spec, low_water: None, count, priority: 0, schedule: None }
    }

    fn known(id: i64, variant: &str, declared_by: Option<&str>) -> StockTarget {
        StockTarget {
            id: TargetId(id),
            wish: wish(variant, 5),
            declared_by: declared_by.map(str::to_owned),
            created_at: Millis(0),
            updated_at: Millis(0),
        }
    }

    fn declaration(wishes: &[Wish]) -> Declaration {
        Declaration::new("day".to_owned(), wishes.to_vec()).unwrap()
    }

    #[test]
    fn duplicate_spec_is_refused_with_both_tables() {
        let clash = Declaration::new(String::new(), vec![wish("a", 1), wish("b", 1), wish("a", 2)]).unwrap_err();
        let words = format!("[[target]] 1 and [[target]] 3 are both for {}; delete one of them", wish("a", 1));
        assert_eq!(clash.to_string(), words);
    }

    #[test]
    fn declaration_touches_only_its_own_targets_and_those_of_no_configuration() {
        let known = [
            known(1, "gone", Some("day")),
            known(2, "same", Some("day")),
            known(3, "more", Some("day")),
            known(4, "by call", None),
            known(5, "left alone", None),
            known(6, "of another", Some("night")),
        ];
        let wishes = [wish("same", 5), wish("by call", 5), wish("new", 5), wish("more", 6)];
        let declared = declaration(&wishes);
        let expected = [
            Step::Remove(&known[0]),
            Step::Put(Act::Declared, &known[3], &wishes[1]),
            Step::Add(&wishes[2]),
            Step::Put(Act::Changed, &known[2], &wishes[3]),
        ];
        assert_eq!(declared.steps(&known, 100).unwrap(), expected);
        assert_eq!(Declaration::<Wish>::default().steps(&known, 0), Ok(Vec::new()));
    }

    #[test]
    fn spec_that_another_configuration_declares_is_refused_with_both_places() {
        let known = [known(6, "a", Some("night"))];
        let wishes = [wish("b", 1), wish("a", 1)];
        let clash = declaration(&wishes).steps(&known, 100).unwrap_err().to_string();
        assert!(clash.starts_with("[[target]] 2 of the configuration `day` is for "), "{clash}");
        assert!(clash.ends_with("if the configuration `night` is no longer used, delete target-6"), "{clash}");
    }

    #[test]
    fn targets_stay_within_their_bound() {
        let known = [known(1, "a", Some("day")), known(2, "b", None)];
        let [one, two] = [vec![wish("c", 1)], vec![wish("c", 1), wish("d", 1)]];
        assert_eq!(declaration(&one).steps(&known, 2).unwrap().len(), 2);
        let clash = declaration(&two).steps(&known, 2).unwrap_err();
        let words = "with the configuration `day`, there would be 3 stock targets; the limit is 2; delete some, or raise `max_targets`";
        assert_eq!(clash.to_string(), words);
        // A limit that was lowered later does not prevent a start with the existing targets.
        assert_eq!(declaration(&[wish("a", 5)]).steps(&known, 1), Ok(Vec::new()));
    }
}
