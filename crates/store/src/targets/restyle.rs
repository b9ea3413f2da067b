//! Rule: decides when a declared target gets the symmetry that its level has since a newer version. An older process with the same
//! configuration would undo that. Pure functions.

use crate::targets::{
    declaration::{Act, Clash, Declaration, Step},
    target::{StockTarget, Wish},
};
use puzzled_engine::shared::{spec::Spec, symmetry::Symmetry};

/// The error of a refill that ends because its target gets another symmetry.
pub(crate) const RESTYLED: &str = "the stock target got another symmetry before the job was done";

/// The spec that a table without a symmetry had before its level had a style.
fn former(spec: &Spec) -> Spec {
    Spec { symmetry: Symmetry::None, ..spec.clone() }
}

impl Declaration {
    /// Whether a target of this configuration has the spec that one of its tables had before.
    #[must_use]
    pub fn has_former(&self, known: &[StockTarget]) -> bool {
        let is_own = |target: &&StockTarget| target.declared_by.as_deref() == Some(self.name());
        let own: Vec<_> = known.iter().filter(is_own).map(|target| &target.wish.spec).collect();
        self.open_symmetries().any(|wish| own.contains(&&former(&wish.spec)))
    }

    /// As [`Self::steps`], but a target with the former spec of a table changes to its present one, and keeps its ID. While
    /// an older process runs, the table changes nothing.
    pub(crate) fn target_steps<'a>(
        &'a self,
        known: &'a [StockTarget],
        max: u32,
        has_older: bool,
    ) -> Result<Vec<Step<'a, Wish>>, Clash> {
        let mut steps = self.steps(known, max)?;
        for wish in self.open_symmetries() {
            let former = former(&wish.spec);
            let removed = steps.iter().enumerate().find_map(|(at, step)| match step {
                Step::Remove(target) if target.wish.spec == former => Some((at, *target)),
                _ => None,
            });
            let Some((at, target)) = removed else { continue };
            let is_added = steps.iter().any(|step| matches!(step, Step::Add(added) if added.spec == wish.spec));
            if has_older || is_added {
                steps[at] = Step::Put(if has_older { Act::Kept } else { Act::Changed }, target, wish);
                steps.retain(|step| match step {
                    Step::Add(added) => added.spec != wish.spec,
                    Step::Put(_, other, put) => other.id == target.id || put.spec != wish.spec,
                    Step::Remove(_) => true,
                });
            }
        }
        Ok(steps)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_base::{clock::Millis, ids::TargetId};
    use puzzled_engine::toy::toy_spec;

    fn wish(symmetry: Symmetry, count: u32) -> Wish {
        Wish { spec: Spec { symmetry, ..toy_spec() }, low_water: None, count, priority: 0, schedule: None }
    }

    fn known(id: i64, symmetry: Symmetry, declared_by: Option<&str>) -> StockTarget {
        let (wish, declared_by) = (wish(symmetry, 5), declared_by.map(str::to_owned));
        StockTarget { id: TargetId(id), wish, declared_by, created_at: Millis(0), updated_at: Millis(0) }
    }

    /// The declaration of a table that leaves its symmetry open, and of others.
    fn declaration(wishes: &[Wish]) -> Declaration {
        let declaration = Declaration::new("day".to_owned(), wishes.to_vec()).unwrap();
        declaration.with_open_symmetries([wishes[0].spec.clone()])
    }

    #[test]
    fn former_target_changes_once_no_older_process_runs() {
        let (before, styled) = ([known(1, Symmetry::None, Some("day"))], wish(Symmetry::Rotation180, 7));
        let day = declaration(std::slice::from_ref(&styled));
        assert!(day.has_former(&before));
        assert_eq!(day.target_steps(&before, 9, true).unwrap(), [Step::Put(Act::Kept, &before[0], &styled)]);
        assert_eq!(day.target_steps(&before, 9, false).unwrap(), [Step::Put(Act::Changed, &before[0], &styled)]);
    }

    #[test]
    fn target_that_a_call_made_with_the_style_waits_and_then_replaces_it() {
        let both = [known(1, Symmetry::None, Some("day")), known(2, Symmetry::Rotation180, None)];
        let styled = wish(Symmetry::Rotation180, 7);
        let day = declaration(std::slice::from_ref(&styled));
        assert_eq!(day.target_steps(&both, 9, true).unwrap(), [Step::Put(Act::Kept, &both[0], &styled)]);
        let steps = [Step::Remove(&both[0]), Step::Put(Act::Declared, &both[1], &styled)];
        assert_eq!(day.target_steps(&both, 9, false).unwrap(), steps);
    }

    #[test]
    fn targets_of_other_tables_calls_and_configurations_are_no_former_ones() {
        let styled = wish(Symmetry::Rotation180, 7);
        let day = declaration(&[styled.clone(), wish(Symmetry::None, 5)]);
        let own = [known(1, Symmetry::None, Some("day"))];
        assert_eq!(day.target_steps(&own, 9, false).unwrap(), [Step::Add(&styled)]);
        let day = declaration(std::slice::from_ref(&styled));
        for other in [None, Some("night")] {
            let known = [known(1, Symmetry::None, other)];
            assert!(!day.has_former(&known));
            assert_eq!(day.target_steps(&known, 9, true).unwrap(), [Step::Add(&styled)]);
        }
    }
}
