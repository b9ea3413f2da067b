//! What the stock holds that is alike to puzzles of slices, and what it gets of them meanwhile.

use std::collections::{BTreeSet, HashMap};

use sqlx::Row as _;

use super::{Write, rows};
use crate::store::{
    StoreError,
    commit::{Likeness, Origin},
};

/// A puzzle in circulation, or barred from it.
pub(super) struct Stocked {
    pub(super) origin: Origin,
    pub(super) shelf_id: i64,
}

/// Puzzles by what they look like.
#[derive(Default)]
pub(super) struct Known {
    /// None once it gave way.
    all: Vec<Option<Stocked>>,
    /// Places in `all`.
    by_form: HashMap<String, Vec<usize>>,
    by_grid: HashMap<Vec<u8>, Vec<usize>>,
}

impl Known {
    /// Those in stock that are alike to any of these. One that is committed after this was read makes the insert fail, and
    /// then all of it is repeated.
    pub(super) async fn read(write: &mut Write, wanted: Vec<Likeness>) -> Result<Self, StoreError> {
        let mut known = Self::default();
        if wanted.is_empty() {
            return Ok(known);
        }
        let (forms, grids): (Vec<_>, Vec<_>) =
            wanted.into_iter().map(|Likeness { form, grid }| (form, grid.to_vec())).unzip();
        // Unlike SQLite the server uses both indexes, for all that they are joined by "or".
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

    /// What is alike, each with its place.
    pub(super) fn alike(&self, likeness: &Likeness) -> Vec<(usize, &Stocked)> {
        let by_form = self.by_form.get(&likeness.form).into_iter().flatten();
        let by_grid = self.by_grid.get(&likeness.grid[..]).into_iter().flatten();
        let places: BTreeSet<_> = by_form.chain(by_grid).copied().collect();
        places.into_iter().filter_map(|place| Some((place, self.all[place].as_ref()?))).collect()
    }

    /// Takes out what gives way.
    pub(super) fn forget(&mut self, places: &[usize]) -> Vec<Stocked> {
        places.iter().filter_map(|&place| self.all[place].take()).collect()
    }
}
