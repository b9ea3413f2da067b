//! Decides how a configuration changes the stock targets when a process starts with it. Pure functions: the store first
//! reads the targets, in the transaction that changes them.

use std::collections::HashMap;

use super::target::{StockTarget, TargetId, Wish};
use puzzled_engine::shared::spec::Spec;

/// The name of a configuration that does not set `config_name`.
pub const NAME_DEFAULT: &str = "default";

/// The maximum number of characters in a configuration's name.
pub const NAME_LEN_MAX: usize = 64;

/// The stock targets that a configuration declares, at most one per spec.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration {
    name: String,
    wishes: Vec<Wish>,
}

impl Default for Declaration {
    /// The declaration of a configuration without stock targets.
    fn default() -> Self {
        Self { name: NAME_DEFAULT.to_owned(), wishes: Vec::new() }
    }
}

/// The reason why a configuration cannot declare its stock targets. The targets of a file are counted
/// from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Clash {
    /// Two tables of the configuration have the same spec.
    #[error("[[target]] {first} and [[target]] {second} are both for {puzzles}; delete one of them")]
    Twice {
        /// The earlier table.
        first: usize,
        /// The later table.
        second: usize,
        /// Their puzzles, in words.
        puzzles: String,
    },
    /// Another configuration has declared the same spec.
    #[error(
        "[[target]] {table} of the configuration `{name}` is for {puzzles}, which the configuration `{other}` has declared as \
         {target}; delete one of the two declarations, or {target} if the configuration `{other}` is no longer used"
    )]
    OfAnother {
        /// The table.
        table: usize,
        /// The name of this configuration.
        name: String,
        /// Its puzzles, in words.
        puzzles: String,
        /// The name of the other configuration.
        other: String,
        /// The target that the other configuration declares.
        target: TargetId,
    },
    /// The number of targets would exceed its limit.
    #[error("the configuration `{name}` makes {targets} stock targets; the limit is {max}; delete some of them")]
    TooMany {
        /// The name of this configuration.
        name: String,
        /// The number of targets after the change, including those created by calls and by other configurations.
        targets: usize,
        /// The limit.
        max: u32,
    },
}

/// The change to one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Act {
    /// The target is new.
    Added,
    /// This configuration had declared the target, and changes it.
    Changed,
    /// A call had created the target. From now on, this configuration declares it, with the values of the configuration.
    Declared,
    /// The configuration no longer declares the target.
    Removed,
}

/// A target that a declaration has changed, as it is now, or as it was before its removal.
#[derive(Debug, Clone, PartialEq)]
pub struct Declared {
    /// The change.
    pub act: Act,
    /// The target.
    pub target: StockTarget,
}

/// A step that makes the targets match the declaration.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step<'a> {
    Add(&'a Wish),
    /// The target gets this wish.
    Put(Act, TargetId, &'a Wish),
    Remove(&'a StockTarget),
}

impl Declaration {
    /// Creates the declaration of the configuration `name`, with targets in the order of its tables.
    ///
    /// # Errors
    /// [`Clash::Twice`] for the first spec that occurs in two tables.
    pub fn new(name: String, wishes: Vec<Wish>) -> Result<Self, Clash> {
        let mut tables: HashMap<&Spec, usize> = HashMap::new();
        for (second, wish) in (1..).zip(&wishes) {
            if let Some(first) = tables.insert(&wish.spec, second) {
                return Err(Clash::Twice { first, second, puzzles: wish.puzzles() });
            }
        }
        Ok(Self { name, wishes })
    }

    /// The configuration's name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the same targets under another name.
    #[must_use]
    pub fn under(self, name: &str) -> Self {
        Self { name: name.to_owned(), ..self }
    }

    /// The wishes of its targets. If there are none, the declaration changes nothing.
    #[must_use]
    pub fn wishes(&self) -> &[Wish] {
        &self.wishes
    }

    /// Returns the steps: first removals, then new and changed targets in the order of the tables.
    pub(crate) fn steps<'a>(&'a self, known: &'a [StockTarget], targets_max: u32) -> Result<Vec<Step<'a>>, Clash> {
        if self.wishes.is_empty() {
            return Ok(Vec::new());
        }
        let by_spec: HashMap<_, _> = known.iter().map(|target| (&target.wish.spec, target)).collect();
        let is_own = |target: &StockTarget| target.declared_by.as_ref() == Some(&self.name);
        let is_gone = |target: &&StockTarget| is_own(target) && !self.has(&target.wish.spec);
        let mut steps: Vec<_> = known.iter().filter(is_gone).map(Step::Remove).collect();
        let mut targets = known.len() - steps.len();
        for (table, wish) in (1..).zip(&self.wishes) {
            let Some(target) = by_spec.get(&wish.spec) else {
                targets += 1;
                steps.push(Step::Add(wish));
                continue;
            };
            match &target.declared_by {
                None => steps.push(Step::Put(Act::Declared, target.id, wish)),
                Some(other) if *other != self.name => return Err(self.of_another(table, wish, other, target.id)),
                Some(_) if target.wish != *wish => steps.push(Step::Put(Act::Changed, target.id, wish)),
                Some(_) => {}
            }
        }
        if steps.iter().any(|step| matches!(step, Step::Add(_))) && targets > targets_max as usize {
            return Err(Clash::TooMany { name: self.name.clone(), targets, max: targets_max });
        }
        Ok(steps)
    }

    fn has(&self, spec: &Spec) -> bool {
        self.wishes.iter().any(|wish| wish.spec == *spec)
    }

    fn of_another(&self, table: usize, wish: &Wish, other: &str, target: TargetId) -> Clash {
        let (name, puzzles, other) = (self.name.clone(), wish.puzzles(), other.to_owned());
        Clash::OfAnother { table, name, puzzles, other, target }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::system::clock::Millis;
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
        let words =
            format!("[[target]] 1 and [[target]] 3 are both for {}; delete one of them", wish("a", 1).puzzles());
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
            Step::Put(Act::Declared, TargetId(4), &wishes[1]),
            Step::Add(&wishes[2]),
            Step::Put(Act::Changed, TargetId(3), &wishes[3]),
        ];
        assert_eq!(declared.steps(&known, 100).unwrap(), expected);
        assert_eq!(Declaration::default().steps(&known, 0), Ok(Vec::new()));
    }

    #[test]
    fn spec_that_another_configuration_declares_is_refused_with_both_places() {
        let known = [known(6, "a", Some("night"))];
        let wishes = [wish("b", 1), wish("a", 1)];
        let clash = declaration(&wishes).steps(&known, 100).unwrap_err().to_string();
        assert!(clash.starts_with("[[target]] 2 of the configuration `day` is for "), "{clash}");
        assert!(clash.contains("which the configuration `night` has declared as target-6;"), "{clash}");
    }

    #[test]
    fn targets_stay_within_their_bound() {
        let known = [known(1, "a", Some("day")), known(2, "b", None)];
        let [one, two] = [vec![wish("c", 1)], vec![wish("c", 1), wish("d", 1)]];
        assert_eq!(declaration(&one).steps(&known, 2).unwrap().len(), 2);
        let clash = declaration(&two).steps(&known, 2).unwrap_err();
        assert_eq!(clash, Clash::TooMany { name: "day".to_owned(), targets: 3, max: 2 });
        // A limit that was lowered later does not prevent a start with the existing targets.
        assert_eq!(declaration(&[wish("a", 5)]).steps(&known, 1), Ok(Vec::new()));
    }
}
