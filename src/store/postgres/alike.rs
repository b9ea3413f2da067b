//! Finds the stored puzzles, including barred ones, that are isomorphs of the new puzzles of a commit or have the same
//! solution up to symmetry. The list changes as the commit adds and withdraws puzzles.

use std::collections::{BTreeSet, HashMap};

use sqlx::Row as _;

use super::{Write, rows};
use crate::store::{
    StoreError,
    commit::{Likeness, Origin},
};

/// A puzzle that is in circulation or barred.
pub(super) struct Stocked {
    pub(super) origin: Origin,
    pub(super) shelf_id: i64,
}

/// Puzzles by form and by solution.
#[derive(Default)]
pub(super) struct Known {
    /// `None` after the puzzle was replaced.
    all: Vec<Option<Stocked>>,
    /// Indices into `all`.
    by_form: HashMap<String, Vec<usize>>,
    by_grid: HashMap<Vec<u8>, Vec<usize>>,
}

impl Known {
    /// Reads the puzzles in stock that are like any of these. If another write commits such a puzzle after this read,
    /// the insert fails, and the whole write is repeated.
    pub(super) async fn read(write: &mut Write, wanted: Vec<Likeness>) -> Result<Self, StoreError> {
        let mut known = Self::default();
        if wanted.is_empty() {
            return Ok(known);
        }
        let (forms, grids): (Vec<_>, Vec<_>) =
            wanted.into_iter().map(|Likeness { form, grid }| (form, grid.to_vec())).unzip();
        // Unlike SQLite, the server uses both indexes even with "or".
        let found = sqlx::query(
            "select id, job_id, job_index, job_try, is_surplus, withdrawn_at is null as in_circulation, shelf_id, canonical,
                    grid
             from puzzles
             where (md5(canonical)::uuid = any(array(select md5(form)::uuid from unnest($1::text[]) as form))
                    and canonical = any($1)
                    or grid = any($2))
               and (withdrawn_at is null or barred)",
        )
        .bind(forms)
        .bind(grids)
        .fetch_all(write.at("commit.find_alike").await?)
        .await?;
        for row in &found {
            let stocked = Stocked { origin: rows::origin(row)?, shelf_id: row.try_get("shelf_id")? };
            known.insert(row.try_get("canonical")?, row.try_get("grid")?, stocked);
        }
        Ok(known)
    }

    pub(super) fn add(&mut self, likeness: Likeness, stocked: Stocked) {
        self.insert(likeness.form, likeness.grid.to_vec(), stocked);
    }

    fn insert(&mut self, form: String, grid: Vec<u8>, stocked: Stocked) {
        let place = self.all.len();
        self.all.push(Some(stocked));
        self.by_form.entry(form).or_default().push(place);
        self.by_grid.entry(grid).or_default().push(place);
    }

    /// Returns the puzzles with the same form or solution, each with its index in `all`.
    pub(super) fn alike(&self, likeness: &Likeness) -> Vec<(usize, &Stocked)> {
        let by_form = self.by_form.get(&likeness.form).into_iter().flatten();
        let by_grid = self.by_grid.get(&likeness.grid[..]).into_iter().flatten();
        let places: BTreeSet<_> = by_form.chain(by_grid).copied().collect();
        places.into_iter().filter_map(|place| Some((place, self.all[place].as_ref()?))).collect()
    }

    /// Removes and returns the puzzles that are replaced.
    pub(super) fn forget(&mut self, places: &[usize]) -> Vec<Stocked> {
        places.iter().filter_map(|&place| self.all[place].take()).collect()
    }
}
