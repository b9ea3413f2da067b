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
        self.keep(read);
        Ok(ids)
    }

    /// Keeps blocks that are new, and the last one of a shelf where it has grown.
    fn keep(&self, read: HashMap<BlockKey, Box<[i64]>>) {
        let mut blocks = self.0.write().unwrap_or_else(PoisonError::into_inner);
        for (key, block) in read {
            let known = blocks.get(&key).map_or(0, |known| known.len());
            if known < block.len() && (known > 0 || blocks.len() < BLOCKS_MAX) {
                blocks.insert(key, block);
            }
        }
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

#[cfg(test)]
mod tests {
    use sqlx::Connection as _;

    use super::*;
    use crate::store::puzzle::ShelfId;

    async fn shelf_of(puzzles: i64) -> SqliteConnection {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let table = "create table puzzles (id integer primary key, shelf_id integer, position integer)";
        sqlx::query(table).execute(&mut connection).await.unwrap();
        grow(&mut connection, 0, puzzles).await;
        connection
    }

    /// Ids of a shelf are not dense, unlike its positions.
    async fn grow(connection: &mut SqliteConnection, from: i64, to: i64) {
        for position in from..to {
            sqlx::query("insert into puzzles (id, shelf_id, position) values (1000 + 3 * ?1, 7, ?1)")
                .bind(position)
                .execute(&mut *connection)
                .await
                .unwrap();
        }
    }

    fn place(position: i64) -> Place {
        Place { shelf_id: ShelfId(7), position }
    }

    /// The ids of puzzles at these positions.
    fn ids<const N: usize>(positions: [i64; N]) -> [Option<i64>; N] {
        positions.map(|position| Some(1000 + 3 * position))
    }

    #[tokio::test]
    async fn ids_come_in_the_order_of_their_places_across_blocks() {
        let mut connection = shelf_of(2 * BLOCK + 5).await;
        let places = Places::default();
        let wanted = [2 * BLOCK + 4, 0, BLOCK, BLOCK - 1, 0].map(place);
        for _ in 0..2 {
            let found = places.ids(&wanted, &mut connection).await.unwrap();
            assert_eq!(found, ids([2 * BLOCK + 4, 0, BLOCK, BLOCK - 1, 0]));
        }
        let elsewhere = Place { shelf_id: ShelfId(8), position: 0 };
        assert_eq!(places.ids(&[elsewhere, place(2 * BLOCK + 5)], &mut connection).await.unwrap(), [None, None]);
        assert_eq!(places.ids(&[], &mut connection).await.unwrap(), []);
    }

    #[tokio::test]
    async fn what_is_known_is_not_read_again_and_what_was_added_is() {
        let mut connection = shelf_of(3).await;
        let places = Places::default();
        assert_eq!(places.ids(&[place(2), place(3)], &mut connection).await.unwrap(), [Some(1006), None]);
        grow(&mut connection, 3, 5).await;
        assert_eq!(places.ids(&[place(4)], &mut connection).await.unwrap(), ids([4]));
        sqlx::query("drop table puzzles").execute(&mut connection).await.unwrap();
        assert_eq!(places.ids(&[place(4), place(0), place(3)], &mut connection).await.unwrap(), ids([4, 0, 3]));
        assert!(places.ids(&[place(5)], &mut connection).await.is_err(), "nothing stood there when it was read");
    }

    #[tokio::test]
    async fn an_older_read_takes_nothing_back_and_what_has_no_room_is_looked_up() {
        let mut connection = shelf_of(3).await;
        let places = Places::default();
        places.keep([((7, 0), vec![1, 2, 3].into())].into());
        places.keep([((7, 0), vec![1, 2].into())].into());
        assert_eq!(places.known(&[place(2)]), [Some(3)]);
        let others = (8..).take(BLOCKS_MAX - 1).map(|shelf_id| ((shelf_id, 0), Box::from([1])));
        places.keep(others.collect());
        places.keep([((1, 0), vec![9].into())].into());
        assert_eq!(places.known(&[Place { shelf_id: ShelfId(1), position: 0 }]), [None]);
        places.0.write().unwrap().remove(&(7, 0));
        places.keep([((2, 0), vec![9].into())].into());
        assert_eq!(places.ids(&[place(1)], &mut connection).await.unwrap(), ids([1]));
        assert_eq!(places.known(&[place(1)]), [None]);
    }
}
