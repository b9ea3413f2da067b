//! Derived sums, a pass over a model. A house is a [`Constraint::AllDifferent`] with as many values as variables, so its sum is known. A
//! group of houses that share no variable has a known sum, too. The variables of a group that the cages inside it leave add up to the
//! difference (players call them innies). If cages cover the group, their variables outside it add up to the difference (outies). Without
//! these sums, the search finds the same only by trying values.

use std::collections::BTreeSet;

use super::{
    domain::Domain,
    model::{Constraint, Model, Var},
};

/// The maximum number of houses of a group.
const HOUSES_MAX: u32 = 5;

/// The maximum number of variables of a derived sum. Longer sums exclude hardly anything.
const VARS_MAX: usize = 5;

/// The maximum number of houses of a family. A group is a mask with a bit for each house.
const FAMILY_MAX: usize = 64;

impl Model {
    /// Posts the sums that follow from the posted houses and cages. A house is a [`Constraint::AllDifferent`] with as many values as
    /// variables. A cage is a [`Constraint::DifferentSum`]. The solutions of the model stay the same.
    pub fn post_derived_sums(&mut self) {
        let mut known = BTreeSet::new();
        for family in self.families() {
            for (mut vars, total) in family.sums() {
                vars.sort_unstable();
                if vars.len() <= VARS_MAX && (!vars.is_empty() || total != 0) && known.insert(vars.clone()) {
                    self.post(if self.differ(&vars) {
                        Constraint::DifferentSum { vars, total }
                    } else {
                        Constraint::Sum { vars, total }
                    });
                }
            }
        }
    }

    /// The houses with a known sum, in families. The houses of a family share no variable. Each house joins the first family that it fits.
    fn families(&self) -> Vec<Family> {
        let cages = self.cages();
        let mut families: Vec<Family> = Vec::new();
        for constraint in self.constraints() {
            let Constraint::AllDifferent(vars) = constraint else { continue };
            let values = vars.iter().fold(Domain::EMPTY, |all, var| all.union(self.domains()[var.index()]));
            if values.len() as usize != vars.len() {
                continue;
            }
            let total = values.values().map(u32::from).sum();
            let fits = |family: &&mut Family| {
                family.totals.len() < FAMILY_MAX && vars.iter().all(|var| family.house_of[var.index()].is_none())
            };
            if families.iter_mut().find(fits).is_none() {
                let (cages, house_of) = (cages.clone(), vec![None; self.domains().len()]);
                families.push(Family { cages, house_of, totals: Vec::new() });
            }
            if let Some(family) = families.iter_mut().find(fits) {
                for var in vars {
                    family.house_of[var.index()] = Some(family.totals.len());
                }
                family.totals.push(total);
            }
        }
        families
    }

    /// The variables and totals of the posted cages. A cage that shares a variable with an earlier one is left out.
    fn cages(&self) -> Vec<(Vec<Var>, u32)> {
        let mut seen = BTreeSet::new();
        let cage = |constraint: &Constraint| match constraint {
            Constraint::DifferentSum { vars, total } if !vars.iter().any(|var| seen.contains(var)) => {
                seen.extend(vars.iter().copied());
                Some((vars.clone(), *total))
            }
            _ => None,
        };
        self.constraints().iter().filter_map(cage).collect()
    }

    /// Whether one constraint says that all these variables differ.
    fn differ(&self, vars: &[Var]) -> bool {
        vars.first().is_some_and(|first| {
            self.constraints_of(*first).iter().any(|index| match &self.constraints()[*index] {
                Constraint::AllDifferent(all) | Constraint::DifferentSum { vars: all, .. } => {
                    vars.iter().all(|var| all.contains(var))
                }
                _ => false,
            })
        })
    }
}

/// Houses that share no variable, and the cages.
struct Family {
    /// The house of each variable.
    house_of: Vec<Option<usize>>,
    /// What each house adds up to.
    totals: Vec<u32>,
    cages: Vec<(Vec<Var>, u32)>,
}

impl Family {
    /// The derived sums of all groups of houses that cages connect. If no cage connects two parts of a group, their own sums say as much.
    fn sums(&self) -> Vec<(Vec<Var>, u32)> {
        let masks: Vec<u64> = self.cages.iter().map(|(vars, _)| self.mask(vars)).collect();
        let mut sums = Vec::new();
        let mut groups: BTreeSet<u64> = (0..self.totals.len()).map(|house| 1 << house).collect();
        for _ in 0..HOUSES_MAX {
            sums.extend(groups.iter().filter_map(|group| self.innies(*group, &masks)));
            sums.extend(groups.iter().filter_map(|group| self.outies(*group, &masks)));
            let longer = |group: &u64| {
                let group = *group;
                let near = masks.iter().filter(|mask| *mask & group != 0).fold(0, |all, mask| all | mask) & !group;
                (0..self.totals.len()).filter(move |house| near & 1 << house != 0).map(move |house| group | 1 << house)
            };
            groups = groups.iter().flat_map(longer).collect();
        }
        sums
    }

    /// The houses of some variables.
    fn mask(&self, vars: &[Var]) -> u64 {
        vars.iter().filter_map(|var| self.house_of[var.index()]).fold(0, |mask, house| mask | 1 << house)
    }

    fn is_in(&self, var: Var, group: u64) -> bool {
        self.house_of[var.index()].is_some_and(|house| group & 1 << house != 0)
    }

    fn total(&self, group: u64) -> u32 {
        (0..).zip(&self.totals).filter(|(house, _)| group & 1 << house != 0).map(|(_, total)| total).sum()
    }

    /// The variables of a group that the cages within it leave, and their sum. A negative sum becomes `u32::MAX`, which no values have.
    fn innies(&self, group: u64, masks: &[u64]) -> Option<(Vec<Var>, u32)> {
        let is_within = |vars: &[Var]| vars.iter().all(|var| self.is_in(*var, group));
        let near = self.cages.iter().zip(masks).filter(|(_, mask)| **mask & group != 0).map(|(cage, _)| cage);
        let within: Vec<_> = near.filter(|(vars, _)| is_within(vars)).collect();
        let covered: usize = within.iter().map(|(vars, _)| vars.len()).sum();
        let of_group = self.house_of.iter().flatten().filter(|house| group & 1 << **house != 0).count();
        if within.is_empty() || of_group - covered > VARS_MAX {
            return None;
        }
        let mut left: BTreeSet<usize> = (0..self.house_of.len())
            .filter(|at| self.house_of[*at].is_some_and(|house| group & 1 << house != 0))
            .collect();
        for var in within.iter().flat_map(|(vars, _)| vars) {
            left.remove(&var.index());
        }
        let sum: u32 = within.iter().map(|(_, total)| total).sum();
        let vars = left.into_iter().map(Var::at).collect();
        Some((vars, self.total(group).checked_sub(sum).unwrap_or(u32::MAX)))
    }

    /// The variables outside a group in the cages that cover it, and their sum. A negative sum becomes `u32::MAX`, which no values have.
    fn outies(&self, group: u64, masks: &[u64]) -> Option<(Vec<Var>, u32)> {
        let near: Vec<_> =
            self.cages.iter().zip(masks).filter(|(_, mask)| **mask & group != 0).map(|(cage, _)| cage).collect();
        let of_cages = near.iter().flat_map(|(vars, _)| vars.iter().copied());
        let (inside, outside): (Vec<Var>, Vec<Var>) = of_cages.partition(|var| self.is_in(*var, group));
        let of_group = self.house_of.iter().flatten().filter(|house| group & 1 << **house != 0).count();
        if inside.len() != of_group || outside.len() > VARS_MAX {
            return None;
        }
        let sum: u32 = near.iter().map(|(_, total)| total).sum();
        Some((outside, sum.checked_sub(self.total(group)).unwrap_or(u32::MAX)))
    }
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
        let sum =
            |(vars, total, differ): (&[Var], u32, bool)| (vars.iter().map(|var| var.index()).collect(), total, differ);
        let new = model.constraints()[before..].iter().map(|constraint| match constraint {
            Sum { vars, total } => sum((vars, *total, false)),
            DifferentSum { vars, total } => sum((vars, *total, true)),
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
        assert_eq!(derived(&[(&[0, 1, 2], 5)]), [(vec![], 1, false)], "no digits have this sum");
        assert_eq!(derived(&[(&[0, 1], 9)]), [(vec![2], u32::MAX, true)], "no digit has this sum");
    }
}
