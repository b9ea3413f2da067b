//! Which puzzle stands at which place, kept in memory: a place's puzzle never changes, so what was read once holds for ever. A
//! draw is spared the way through the index, most of which lies in no cache of the processor in a large stock.

use std::{
    collections::{BTreeSet, HashMap},
    sync::{PoisonError, RwLock},
};

use sqlx::SqliteConnection;

use super::json;
use crate::store::puzzle::Place;

/// Positions of a shelf that are read at once.
const BLOCK: i64 = 256;

/// Blocks that are kept: 64 MiB, for eight million puzzles. Places in further ones are looked up each time.
const BLOCKS_MAX: usize = 32_768;

/// A shelf, and the first position of a block.
type BlockKey = (i64, i64);

/// What is known.
#[derive(Debug, Default)]
pub(super) struct Places(RwLock<HashMap<BlockKey, Box<[i64]>>>);

impl Places {
    /// The ids of the puzzles at these places, in their order, withdrawn or not; none where nothing stands. Reads those that
    /// are not known, in one statement.
    pub(super) async fn ids(
        &self,
        places: &[Place],
        connection: &mut SqliteConnection,
    ) -> Result<Vec<Option<i64>>, sqlx::Error> {
        let mut ids = self.known(places);
        let unknown: BTreeSet<BlockKey> =
            places.iter().zip(&ids).filter(|(_, id)| id.is_none()).map(|(place, _)| key(place)).collect();
        if unknown.is_empty() {
            return Ok(ids);
        }
        let read: HashMap<BlockKey, Box<[i64]>> = read(&unknown, connection).await?;
        for (id, place) in ids.iter_mut().zip(places) {
            *id = id.or_else(|| at(&read, place));
        }
        let mut blocks = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (key, block) in read {
            // The last block of a shelf grows.
            if blocks.len() < BLOCKS_MAX || blocks.contains_key(&key) {
                blocks.insert(key, block);
            }
        }
        Ok(ids)
    }

    fn known(&self, places: &[Place]) -> Vec<Option<i64>> {
        let blocks = self.0.read().unwrap_or_else(PoisonError::into_inner);
        places.iter().map(|place| at(&blocks, place)).collect()
    }
}

fn key(place: &Place) -> BlockKey {
    (place.shelf_id.0, place.position - place.position.rem_euclid(BLOCK))
}

fn at(blocks: &HashMap<BlockKey, Box<[i64]>>, place: &Place) -> Option<i64> {
    let offset = usize::try_from(place.position.rem_euclid(BLOCK)).ok()?;
    blocks.get(&key(place))?.get(offset).copied()
}

/// Whole blocks, as far as their shelves reach: positions are dense, so an id's offset is its position's.
async fn read(
    keys: &BTreeSet<BlockKey>,
    connection: &mut SqliteConnection,
) -> Result<HashMap<BlockKey, Box<[i64]>>, sqlx::Error> {
    let found: String = sqlx::query_scalar(
        "select json_group_array((select json_group_array(id)
                                 from (select id from puzzles
                                       where shelf_id = block.value ->> 0
                                         and position between block.value ->> 1 and (block.value ->> 1) + ?2 - 1
                                       order by position)))
         from jsonb_each(?1) as block",
    )
    .bind(json(keys)?)
    .bind(BLOCK)
    .fetch_one(connection)
    .await?;
    let blocks: Vec<Box<[i64]>> = serde_json::from_str(&found).map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok(keys.iter().copied().zip(blocks).collect())
}
