//! Reads what a delivery needs on SQLite: audiences and their cursors, known names, positions at draw indices, and
//! drawn puzzles. Each read is one statement for all callers and returns one row of JSON.

use async_trait::async_trait;
use serde::de::DeserializeOwned;

use crate::store::{
    StoreError,
    audience::AudienceStates,
    delivery::{DrawIndex, NewDelivery},
    delivery_batch::{DeliveryWrite, Draw, DrawnPuzzle, Named, Row},
    puzzle::{Place, PuzzleId, ShelfId},
    shelves::select_puzzles,
    sqlite::{
        Write,
        cards::{Card, select_cards},
        json, moves, rows,
    },
};

#[async_trait]
impl DeliveryWrite for Write {
    async fn states(&mut self, audiences: &[&str]) -> Result<AudienceStates, StoreError> {
        let found: String = sqlx::query_scalar(
            "select json_group_array(json_array(audiences.name, audiences.id,
                 (select json_group_array(json_array(shelf_id, taken)) from cursors where audience_id = audiences.id)))
             from json_each(?) as wanted join audiences on audiences.name = wanted.value",
        )
        .bind(json(&audiences)?)
        .fetch_one(self.at("deliver.read_cursors").await?)
        .await?;
        let mut states = AudienceStates::default();
        for (name, id, cursors) in parse::<Vec<(String, i64, Vec<(i64, i64)>)>>(&found, "cursors", "taken")? {
            let state = states.of(&name);
            state.id = Some(id);
            for (shelf_id, taken) in cursors {
                state.knows(ShelfId(shelf_id), taken);
            }
        }
        Ok(states)
    }

    async fn named(&mut self, wanted: &[NewDelivery], states: &AudienceStates) -> Result<Vec<Named>, StoreError> {
        let names = wanted.iter().enumerate();
        let names = names.filter_map(|(at, new)| Some((at, states.id(&new.audience)?, new.name.as_ref()?.column())));
        let names: Vec<_> = names.collect();
        if names.is_empty() {
            return Ok(Vec::new());
        }
        let found: String = sqlx::query_scalar(
            "select json_group_array(json_array(wanted.value ->> 0, deliveries.fields, deliveries.puzzle_id,
                                                hex(deliveries.grid), puzzles.withdrawn_at is not null))
             from jsonb_each(?) as wanted
             join deliveries on deliveries.audience_id = wanted.value ->> 1 and deliveries.name = wanted.value ->> 2
             join puzzles on puzzles.id = deliveries.puzzle_id",
        )
        .bind(json(&names)?)
        .fetch_one(self.at("deliver.read_names").await?)
        .await?;
        let found = parse::<Vec<(usize, String, i64, String, u8)>>(&found, "deliveries", "fields")?;
        let known = found.into_iter().map(|(at, fields, puzzle_id, grid, is_withdrawn)| {
            let (fields, is_withdrawn) = (parse(&fields, "deliveries", "fields")?, is_withdrawn == 1);
            Ok(Named { at, fields, puzzle_id: PuzzleId(puzzle_id), grid, is_withdrawn })
        });
        known.collect()
    }

    async fn swaps(
        &mut self,
        wanted: &[NewDelivery],
        states: &mut AudienceStates,
        indices: &[(usize, DrawIndex)],
    ) -> Result<(), StoreError> {
        let mut unread = Vec::new();
        for &(at, index) in indices {
            let state = states.of(&wanted[at].audience);
            if state.has_to_read(index) {
                unread.push((at, state.id, index.shelf_id.0, index.index));
            }
        }
        if unread.is_empty() {
            return Ok(());
        }
        let found: String = sqlx::query_scalar(
            "select json_group_array(json_array(wanted.value ->> 0, swaps.shelf_id, swaps.draw_index, swaps.position))
             from jsonb_each(?) as wanted
             join swaps on swaps.audience_id = wanted.value ->> 1
                       and swaps.shelf_id = wanted.value ->> 2 and swaps.draw_index = wanted.value ->> 3",
        )
        .bind(json(&unread)?)
        .fetch_one(self.at("deliver.read_swaps").await?)
        .await?;
        for (at, shelf_id, index, position) in parse::<Vec<(usize, i64, i64, i64)>>(&found, "swaps", "position")? {
            states.of(&wanted[at].audience).has_read(DrawIndex { shelf_id: ShelfId(shelf_id), index }, position);
        }
        Ok(())
    }

    async fn read_drawn(
        &mut self,
        wanted: &[NewDelivery],
        states: &mut AudienceStates,
        draws: &[Draw],
    ) -> Result<Vec<DrawnPuzzle>, StoreError> {
        let (mut places, mut asked) = (Vec::with_capacity(draws.len()), Vec::with_capacity(draws.len()));
        for &Draw { at, index, first } in draws {
            let state = states.of(&wanted[at].audience);
            let place = Place { shelf_id: index.shelf_id, position: state.draw(index, first) };
            places.push(place);
            asked.push((place.shelf_id.0, place.position, state.id));
        }
        let found: String = sqlx::query_scalar(select_cards!(
            "'\"' || hex(puzzles.grid) || '\",' || ",
            "from jsonb_each(?) as wanted
             join puzzles on puzzles.shelf_id = wanted.value ->> 0 and puzzles.position = wanted.value ->> 1",
            "and not exists (select 1 from deliveries
                             where deliveries.audience_id = wanted.value ->> 2 and deliveries.grid = puzzles.grid)"
        ))
        .bind(json(&asked)?)
        .fetch_one(self.at("deliver.read_puzzles").await?)
        .await?;
        match drawn_in_order(&found, &places, draws) {
            Some(puzzles) => Ok(puzzles),
            None => Err(broken_among(self, &places).await?),
        }
    }

    async fn note(&mut self, states: &mut AudienceStates, rows: &[Row<'_>]) -> Result<(), StoreError> {
        moves::all(self, states, rows).await
    }
}

/// Parses the drawn puzzles, by caller; `None` if a value breaks an invariant.
fn drawn_in_order(found: &str, places: &[Place], draws: &[Draw]) -> Option<Vec<DrawnPuzzle>> {
    let cards: Vec<(usize, String, Card)> = serde_json::from_str(found).ok()?;
    let puzzles = cards.into_iter().map(|(number, grid, card)| {
        let (place, draw) = (places.get(number)?, draws.get(number)?);
        Some(DrawnPuzzle { at: draw.at, grid, puzzle: card.read_at(*place)? })
    });
    let mut puzzles: Vec<_> = puzzles.collect::<Option<_>>()?;
    puzzles.sort_by_key(|drawn| drawn.at);
    Some(puzzles)
}

/// Reads row by row to find the value that breaks an invariant.
async fn broken_among(write: &mut Write, places: &[Place]) -> Result<StoreError, StoreError> {
    for place in places {
        let row = sqlx::query(select_puzzles!("where puzzles.shelf_id = ? and puzzles.position = ?"))
            .bind(place.shelf_id.0)
            .bind(place.position)
            .fetch_optional(write.at("deliver.read_broken").await?)
            .await?;
        row.as_ref().map(rows::puzzle).transpose()?;
    }
    Ok(corrupt("puzzles", "record"))
}

fn parse<T: DeserializeOwned>(found: &str, table: &'static str, column: &'static str) -> Result<T, StoreError> {
    serde_json::from_str(found).map_err(|_| corrupt(table, column))
}

/// The error for a broken row of a table whose id the answer does not contain.
fn corrupt(table: &'static str, column: &'static str) -> StoreError {
    StoreError::Corrupt { table, column, id: 0 }
}
