//! [`Sum`]: cells, and what their digits make. A cage states a sum, or it is derived from houses and the sums of their cages.

use std::collections::BTreeMap;

use crate::{
    grid::{
        cells::{Cells, Digits, Houses},
        clues::{Cage, Operator},
        rules::{Holds, House},
    },
    shared::step::HouseType,
};

/// The maximum number of rows or of columns in a group, and of boxes. Most larger groups give the same sums as the houses that they leave
/// out.
const LINES_MAX: usize = 5;
const BOXES_MAX: usize = 4;

/// The maximum number of cells of a derived sum. It exceeds the 5 open cells that the techniques allow, because some cells may be filled.
const CELLS_MAX: usize = 9;

/// Cells whose digits make a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sum {
    pub(crate) cells: Cells,
    /// What they make. If the cages contradict each other, a derived sum can be negative or too large.
    pub(crate) total: i32,
    pub(crate) operator: Operator,
    /// False for a cage in which digits may repeat.
    pub(crate) differ: bool,
    /// The houses and cages that prove it.
    pub(crate) houses: Houses,
    /// The number of these houses that are not cages: 0 for a printed cage.
    pub(crate) group: usize,
}

impl Sum {
    const NONE: Self = Self::added(Cells::NONE, 0, Houses::NONE, 0);

    /// What a cage states. Whether its digits differ is left open.
    pub(super) fn of_cage(cage: &Cage) -> Self {
        let operator = cage.operator.unwrap_or(Operator::Add);
        let total = i32::try_from(cage.number).unwrap_or(i32::MAX);
        Self { operator, differ: false, ..Self::added(cage.cells, total, Houses::NONE, 0) }
    }

    const fn added(cells: Cells, total: i32, houses: Houses, group: usize) -> Self {
        Self { cells, total, operator: Operator::Add, differ: true, houses, group }
    }

    fn plus(self, other: &Self) -> Self {
        let (houses, group) = (self.houses.or(other.houses), self.group + other.group);
        Self { cells: self.cells.or(other.cells), total: self.total + other.total, houses, group, ..self }
    }

    fn minus(self, other: &Self) -> Self {
        let (houses, group) = (self.houses.or(other.houses), self.group + other.group);
        Self { cells: self.cells.without(other.cells), total: self.total - other.total, houses, group, ..self }
    }
}

/// The sums of the cages, then the derived sums. Cages in which digits repeat give no derived sums. If several groups of houses give a sum for the same cells, the smallest group is kept.
pub(crate) fn sums(houses: &[House], size: u8) -> Vec<Sum> {
    let cages: Vec<Sum> = houses.iter().enumerate().filter_map(|(index, house)| printed(index, house)).collect();
    let mut of_cells: BTreeMap<Cells, Sum> = BTreeMap::new();
    if cages.is_empty() || houses.iter().any(|house| house.holds == Holds::AnyDigits) {
        return cages;
    }
    let families = [(HouseType::Row, LINES_MAX), (HouseType::Column, LINES_MAX), (HouseType::Box, BOXES_MAX)];
    for (house_type, longest) in families {
        let of_type = houses.iter().enumerate().filter(|(_, house)| house.house_type == house_type);
        let family: Vec<Sum> = of_type.map(|(index, house)| whole(index, house, size)).collect();
        for group in groups(&family, longest, &cages) {
            let both = [inside(&group, &cages), outside(&group, &cages)].into_iter().flatten();
            for sum in both.filter(|sum| (1..=CELLS_MAX).contains(&sum.cells.len())) {
                let known = of_cells.entry(sum.cells).or_insert(sum);
                if sum.group < known.group {
                    *known = sum;
                }
            }
        }
    }
    for cage in &cages {
        of_cells.remove(&cage.cells);
    }
    cages.into_iter().chain(of_cells.into_values()).collect()
}

fn printed(index: usize, house: &House) -> Option<Sum> {
    let total = i32::try_from(house.number_of_clue.filter(|_| house.house_type == HouseType::Cage)?).ok()?;
    let differ = house.holds != Holds::AnyDigits;
    let operator = house.operator.unwrap_or(Operator::Add);
    Some(Sum { operator, differ, ..Sum::added(house.cells, total, Houses::only(index), 0) })
}

/// The sum of a house that has each digit once.
fn whole(index: usize, house: &House, size: u8) -> Sum {
    let total = Digits::up_to(size).iter().map(i32::from).sum();
    Sum::added(house.cells, total, Houses::only(index), 1)
}

/// The groups of up to `longest` houses of a family, the smallest first. In each group, cages connect the houses by
/// crossing from one to the next. Without such cages, a group adds nothing to the sums of its parts.
fn groups(family: &[Sum], longest: usize, cages: &[Sum]) -> Vec<Sum> {
    let mut groups: Vec<Sum> = family.to_vec();
    let mut from = 0;
    for _ in 1..longest {
        let shorter = groups[from..].to_vec();
        from = groups.len();
        for group in shorter {
            let meeting = cages.iter().filter(|cage| cage.cells.meets(group.cells));
            let near = meeting.fold(group, Sum::plus).cells.without(group.cells);
            for house in family.iter().filter(|house| house.cells.meets(near)) {
                let longer = group.plus(house);
                if groups[from..].iter().all(|known| known.houses != longer.houses) {
                    groups.push(longer);
                }
            }
        }
    }
    groups
}

/// The sum of the cells of a group that no cage inside it covers. `None` if there is no such cage: the sum of a whole group is no clue.
fn inside(group: &Sum, cages: &[Sum]) -> Option<Sum> {
    let left = cages.iter().filter(|cage| cage.cells.is_within(group.cells)).fold(*group, Sum::minus);
    (left != *group).then_some(left)
}

/// The sum of the cells that the cages around a group have outside it. `None` if the cages do not cover the group.
fn outside(group: &Sum, cages: &[Sum]) -> Option<Sum> {
    let all = cages.iter().filter(|cage| cage.cells.meets(group.cells)).fold(Sum::NONE, Sum::plus);
    group.cells.is_within(all.cells).then(|| all.minus(group))
}

#[cfg(test)]
mod tests {
    use crate::grid::{
        clues::{Cage, Clues},
        puzzle::Puzzle,
        rules::Rules,
        samples::named,
    };

    /// The sums of a 6x6 with cages of these cells.
    fn derived(cages: &[(&[u16], u32)]) -> Vec<(Vec<u16>, i32, usize)> {
        let cage = |(cells, sum): &(&[u16], u32)| Cage::of_sum(cells.iter().copied().collect(), *sum);
        let clues = Clues { cages: cages.iter().map(cage).collect(), ..Clues::default() };
        let puzzle = Puzzle { clues, ..Puzzle::new(named("6x6"), vec![0; 36], Vec::new()) };
        let sums = Rules::of(&puzzle).sums.into_iter().filter(|sum| sum.group > 0);
        sums.map(|sum| (sum.cells.list(), sum.total, sum.group)).collect()
    }

    #[test]
    fn cells_inside_and_outside_of_cages_have_the_rest_of_the_sum() {
        let row = [(&[0_u16, 1][..], 3), (&[2, 3], 7), (&[4, 10], 8)];
        assert!(derived(&row).contains(&(vec![4, 5], 11, 1)), "inside row 1: {:?}", derived(&row));
        let row = [(&[0_u16, 6][..], 3), (&[1, 2, 3], 12), (&[4, 5], 9)];
        assert!(derived(&row).contains(&(vec![6], 3, 1)), "outside row 1: {:?}", derived(&row));
        assert!(derived(&row).contains(&(vec![7, 8, 9, 10, 11], 18, 2)), "inside rows 1 and 2: {:?}", derived(&row));
        let across = derived(&[(&[8, 9, 15], 9)]);
        assert!(across.iter().all(|(_, _, group)| *group > 1), "no house has a cage inside it: {across:?}");
        assert_eq!(derived(&[]), []);
    }
}
