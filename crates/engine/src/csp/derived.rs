//! Derived sums, a pass over a model. A house is a [`Constraint::AllDifferent`] with as many values as variables, so its sum is known. A
//! group of houses that share no variable has a known sum, too. Subtract the cages inside a group from its sum: this gives the sum of
//! its other variables, which players call innies. If cages cover the group, subtract its sum from theirs: this gives the sum of their
//! variables outside the group, the outies. Without these sums, the search would have to try values.
//!
//! The ladder of the grid layer derives its sums separately. The two share no code, so the two solvers disagree if one of them is wrong.

use std::{collections::BTreeSet, iter::successors};

use super::{Constraint, Domain, Model, Var};

/// The maximum number of variables of a model with derived sums. A set of variables is a mask with a bit for each.
const MODEL_MAX: usize = 128;

/// The maximum number of houses of a group.
const HOUSES_MAX: usize = 5;

/// The maximum number of variables of a derived sum. Longer sums exclude hardly anything.
const VARS_MAX: u32 = 5;

/// What some variables add up to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Total {
    vars: u128,
    sum: i64,
}

impl Total {
    fn meets(self, other: Self) -> bool {
        self.vars & other.vars != 0
    }

    fn is_within(self, other: Self) -> bool {
        self.vars & !other.vars == 0
    }

    fn plus(self, other: Self) -> Self {
        Self { vars: self.vars | other.vars, sum: self.sum + other.sum }
    }

    fn minus(self, other: Self) -> Self {
        Self { vars: self.vars & !other.vars, sum: self.sum - other.sum }
    }
}

fn mask(vars: &[Var]) -> u128 {
    vars.iter().fold(0, |mask, var| mask | 1 << var.index())
}

impl Model {
    /// Posts sums that follow from the posted houses and cages, for groups of up to 5 houses and sums of up to 5 variables. A house is a
    /// [`Constraint::AllDifferent`] with as many values as variables. A cage is a [`Constraint::DifferentSum`]. The solutions of the model
    /// stay the same. If the model has more than 128 variables, does nothing.
    pub fn post_derived_sums(&mut self) {
        if self.domains().len() > MODEL_MAX {
            return;
        }
        let cages = self.cages();
        let mut known = BTreeSet::new();
        for group in self.families().iter().flat_map(|family| groups(family, &cages)) {
            for derived in [innies(group, &cages), outies(group, &cages)].into_iter().flatten() {
                let says_nothing = derived == Total { vars: 0, sum: 0 };
                if derived.vars.count_ones() <= VARS_MAX && !says_nothing && known.insert(derived) {
                    self.post_total(derived);
                }
            }
        }
    }

    /// The posted cages. A cage that shares a variable with an earlier one is left out.
    fn cages(&self) -> Vec<Total> {
        let mut cages: Vec<Total> = Vec::new();
        for constraint in self.constraints() {
            let Constraint::DifferentSum { vars, total } = constraint else { continue };
            let cage = Total { vars: mask(vars), sum: (*total).into() };
            if !cages.iter().any(|other| other.meets(cage)) {
                cages.push(cage);
            }
        }
        cages
    }

    /// The houses with a known sum, in families. The houses of a family share no variable. Each house joins the first family that it fits.
    fn families(&self) -> Vec<Vec<Total>> {
        let mut families: Vec<Vec<Total>> = Vec::new();
        for constraint in self.constraints() {
            let Constraint::AllDifferent(vars) = constraint else { continue };
            let values = vars.iter().fold(Domain::EMPTY, |all, var| all.union(self.domains()[var.index()]));
            if values.len() as usize != vars.len() {
                continue;
            }
            let house = Total { vars: mask(vars), sum: values.values().map(i64::from).sum() };
            match families.iter_mut().find(|family| !family.iter().any(|other| other.meets(house))) {
                Some(family) => family.push(house),
                None => families.push(vec![house]),
            }
        }
        families
    }

    fn post_total(&mut self, Total { vars: all, sum }: Total) {
        let vars: Vec<Var> = self.vars().filter(|var| all & 1 << var.index() != 0).collect();
        // A negative sum becomes one that no values have.
        let total = u32::try_from(sum).unwrap_or(u32::MAX);
        let differ = |index: &usize| match &self.constraints()[*index] {
            Constraint::AllDifferent(vars) | Constraint::DifferentSum { vars, .. } => all & !mask(vars) == 0,
            _ => false,
        };
        let do_differ = vars.first().is_some_and(|first| self.constraints_of(*first).iter().any(differ));
        self.post(if do_differ { Constraint::DifferentSum { vars, total } } else { Constraint::Sum { vars, total } });
    }
}

/// The groups of houses of a family, the smallest first. Cages that cross from house to house connect each group. A group that is not
/// connected adds nothing to the sums of its parts.
fn groups(family: &[Total], cages: &[Total]) -> Vec<Total> {
    let longer = |groups: &BTreeSet<Total>| {
        let by_one = |group: &Total| {
            let (group, near) = (*group, cages.iter().filter(|cage| cage.meets(*group)));
            let near = near.fold(group, |near, cage| near.plus(*cage)).minus(group);
            family.iter().filter(move |house| house.meets(near)).map(move |house| group.plus(*house))
        };
        Some(groups.iter().flat_map(by_one).collect())
    };
    successors(Some(family.iter().copied().collect()), longer).take(HOUSES_MAX).flatten().collect()
}

/// The variables of a group that are in no cage within the group. `None` if there is no such cage.
fn innies(group: Total, cages: &[Total]) -> Option<Total> {
    let within = cages.iter().filter(|cage| cage.is_within(group));
    let left = within.fold(group, |left, cage| left.minus(*cage));
    (left != group).then_some(left)
}

/// The variables outside a group in the cages that cover it. `None` if the cages do not cover it.
fn outies(group: Total, cages: &[Total]) -> Option<Total> {
    let near = cages.iter().filter(|cage| cage.meets(group));
    let all = near.fold(Total { vars: 0, sum: 0 }, |all, cage| all.plus(*cage));
    group.is_within(all).then(|| all.minus(group))
}

#[cfg(test)]
mod tests {
    use crate::csp::{
        Constraint::{AllDifferent, DifferentSum, Sum},
        Domain, Model, Var,
    };

    /// Two rows of three variables with the values 1 to 3, and these cages.
    fn derived(cages: &[(&[usize], u32)]) -> Vec<(Vec<usize>, u32, bool)> {
        let mut model = Model::new();
        let vars: Vec<Var> = (0..6).map(|_| model.variable(Domain::range(1, 3))).collect();
        model.post(AllDifferent(vars[..3].to_vec()));
        model.post(AllDifferent(vars[3..].to_vec()));
        for (cells, total) in cages {
            model.post(DifferentSum { vars: cells.iter().map(|cell| vars[*cell]).collect(), total: *total });
        }
        let before = model.constraints().len();
        model.post_derived_sums();
        let new = model.constraints()[before..].iter().map(|constraint| match constraint {
            Sum { vars, total } => (vars.iter().map(|var| var.index()).collect(), *total, false),
            DifferentSum { vars, total } => (vars.iter().map(|var| var.index()).collect(), *total, true),
            other => panic!("{other:?}"),
        });
        new.collect()
    }

    #[test]
    fn cells_inside_and_outside_of_cages_have_the_rest_of_the_sum() {
        // The first row has 6; its cage has 3, so the third cell has 3. The cage of the third column adds up to 4.
        assert_eq!(
            derived(&[(&[0, 1], 3), (&[2, 5], 4)]),
            [(vec![2], 3, true), (vec![5], 1, true), (vec![3, 4], 5, true)]
        );
        assert_eq!(derived(&[(&[0, 3], 3), (&[1, 4], 5)]), [(vec![2, 5], 4, false)]);
        let sums = [(vec![], u32::MAX, false), (vec![], 1, false)];
        assert_eq!(derived(&[(&[0, 1, 2], 7)]), sums, "no digits have these sums");
        let sums = [(vec![], 1, false), (vec![], u32::MAX, false)];
        assert_eq!(derived(&[(&[0, 1, 2], 5)]), sums, "no digits have these sums");
        assert_eq!(derived(&[(&[0, 1], 9)]), [(vec![2], u32::MAX, true)], "no digit has this sum");
    }

    #[test]
    fn two_totals_of_the_same_cells_are_both_posted() {
        let sums = derived(&[(&[0, 1], 3), (&[2, 5], 4), (&[3, 4], 4)]);
        assert!(sums.contains(&(vec![2], 3, true)), "inside row 1: {sums:?}");
        assert!(sums.contains(&(vec![2], 2, true)), "outside row 2: {sums:?}");
    }
}
