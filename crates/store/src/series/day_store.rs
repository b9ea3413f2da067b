//! The days of the series: gives a day its puzzle in one transaction, lists the days with their puzzles, and records daily
//! puzzles for audiences. If several processes draw for a day, one of them wins, and the others get its puzzle.

use async_trait::async_trait;
use jiff::civil::Date;

use crate::{
    StoreError,
    deliveries::{choose::FittingShelves, delivery::day_name, holder::Holder},
    error::must_touch,
    jobs::job::Job,
    series::{
        daily_series::{Series, SeriesId},
        day::{Day, DayDelivery, DayDrawn, NewDay},
        series_rows::{folded, row},
    },
    sql::{
        database::{Columns, Database, Lock, Reading, Write, id},
        rows,
        statement::values,
        statements::{audience, days, series, stock},
    },
    stock::{
        puzzle::{Position, Puzzle},
        stock_store::puzzle_of,
    },
};
use puzzled_base::ids::PuzzleId;
use puzzled_engine::shared::rng::Rng;

/// The maximum number of held puzzles from which a day's puzzle is chosen.
const HELD_MAX: u32 = 1_000;

/// The maximum number of positions that are drawn before all puzzles that fit are read.
const DRAWS_MAX: usize = 32;

/// The maximum number of puzzles from which one is chosen if the draws found empty positions only.
const FEW_MAX: u32 = 20_000;

/// The days of series.
#[async_trait]
pub trait DayStore {
    /// Returns the days of all series from `from` on that have a puzzle, except a withdrawn one.
    async fn days(&self, from: Date) -> Result<Vec<Day>, StoreError>;

    /// Returns the puzzle of a day with its record; `None` if the day has none, or a withdrawn one.
    async fn puzzle_of_day(&self, series: SeriesId, date: Date) -> Result<Option<Puzzle>, StoreError>;

    /// Returns up to `limit` puzzles that series hold and that a day can still get, by id.
    async fn free_held(&self, limit: u32) -> Result<Vec<Puzzle>, StoreError>;

    /// Returns the puzzle of a day. A day without a puzzle gets one that the series holds. If the series holds no puzzle that
    /// fits, the day gets one from the shelves of the request, and the series holds it from then on. The draw is random, with the
    /// same probability for each puzzle. The day is durable when the call returns.
    async fn draw_day(&self, new: &NewDay) -> Result<DayDrawn, StoreError>;

    /// Records daily puzzles for audiences, except those whose repeat hash the audience has. Returns for each whether it was
    /// recorded.
    async fn deliver_days(&self, deliveries: &[DayDelivery]) -> Result<Vec<bool>, StoreError>;

    /// Returns the day to which a puzzle belongs, even if the puzzle is withdrawn.
    async fn day_of(&self, puzzle: PuzzleId) -> Result<Option<Day>, StoreError>;

    /// Returns the jobs that make puzzles for a series, newest first, at most `limit`, each with its shortfall.
    async fn jobs_of_series(&self, name: &str, limit: u32) -> Result<Vec<(String, Job)>, StoreError>;
}

#[async_trait]
impl<D: Database> DayStore for D {
    async fn days(&self, from: Date) -> Result<Vec<Day>, StoreError> {
        self.all(days::LIST, values![&from.to_string()], day).await
    }

    async fn puzzle_of_day(&self, series: SeriesId, date: Date) -> Result<Option<Puzzle>, StoreError> {
        Ok(self.all(days::PUZZLE, values![series.0, &date.to_string()], rows::puzzle_with_record).await?.pop())
    }

    async fn free_held(&self, limit: u32) -> Result<Vec<Puzzle>, StoreError> {
        self.all(days::FREE, values![limit], rows::puzzle).await
    }

    async fn draw_day(&self, new: &NewDay) -> Result<DayDrawn, StoreError> {
        self.with_retries(|| async {
            let mut write = self.write("draw_day.begin").await?;
            let Some(series) = locked(&mut write, new.series_id).await? else {
                return write.roll_back(DayDrawn::Ended).await;
            };
            let date = new.date.to_string();
            let values = values![series.id.0, &date];
            if let Some(puzzle) =
                write.optional("draw_day.find", days::PUZZLE, values, rows::puzzle_with_record).await?
            {
                return write.roll_back(DayDrawn::Same(Box::new(puzzle))).await;
            }
            if series.ended_at.is_some() {
                return write.roll_back(DayDrawn::Ended).await;
            }
            if series.filter_on(new.date).as_ref() != Some(&new.fitting) {
                // The terms have changed since the caller read them.
                return write.roll_back(DayDrawn::Unlucky).await;
            }
            let mut rng = Rng::from_seed(new.seed);
            let taken = match take_held(&mut write, &series, new, &mut rng).await? {
                Some(id) => Some(id),
                None => match &new.among {
                    Some(among) => take_from_shelves(&mut write, &series, among, &mut rng).await?,
                    None => None,
                },
            };
            let Some(id) = taken else { return write.roll_back(DayDrawn::Exhausted).await };
            let written =
                write.execute("draw_day.write", days::WRITE, values![series.id.0, &date, id.0, write.now()]).await?;
            must_touch("giving a day its puzzle", 1, written)?;
            let puzzle = puzzle_of(&mut write, "draw_day.read", id).await?;
            let corrupt = StoreError::Corrupt { table: "days", column: "puzzle_id", id: id.0 };
            let puzzle = puzzle.ok_or(corrupt)?;
            write.commit("draw_day.commit", "draw_day.committed").await?;
            Ok(DayDrawn::New(Box::new(puzzle)))
        })
        .await
    }

    async fn day_of(&self, puzzle: PuzzleId) -> Result<Option<Day>, StoreError> {
        Ok(self.all(days::OF_PUZZLE, values![puzzle.0], day).await?.pop())
    }

    async fn deliver_days(&self, deliveries: &[DayDelivery]) -> Result<Vec<bool>, StoreError> {
        let mut audiences: Vec<_> = deliveries.iter().map(|delivery| delivery.audience.as_str()).collect();
        audiences.sort_unstable();
        audiences.dedup();
        self.with_retries(|| async {
            let mut write = self.write("deliver_days.begin").await?;
            write.lock("deliver_days.lock", Lock::Audiences(&audiences)).await?;
            let mut recorded = Vec::with_capacity(deliveries.len());
            for delivery in deliveries {
                recorded.push(record(&mut write, delivery).await?);
            }
            if !recorded.contains(&true) {
                return write.roll_back(recorded).await;
            }
            write.commit("deliver_days.commit", "deliver_days.committed").await?;
            Ok(recorded)
        })
        .await
    }

    async fn jobs_of_series(&self, name: &str, limit: u32) -> Result<Vec<(String, Job)>, StoreError> {
        let holder = Holder::Series(name.to_owned()).to_string();
        self.all(days::JOBS, values![&holder, limit], rows::job_for_shortfall).await
    }
}

/// Reads a series and locks it until the write ends, so that one write at a time gives its days a puzzle or changes it.
async fn locked<W: Write>(write: &mut W, id: SeriesId) -> Result<Option<Series>, StoreError> {
    write.lock_rows("draw_day.lock", series::LOCK_BY_ID, values![id.0]).await?;
    Ok(folded(write.all("draw_day.series", series::BY_ID, values![id.0], row).await?).pop())
}

/// Takes one of the puzzles that the series holds, that fit, and that no day has.
async fn take_held<W: Write>(
    write: &mut W,
    series: &Series,
    new: &NewDay,
    rng: &mut Rng,
) -> Result<Option<PuzzleId>, StoreError> {
    let holder = series.holder().to_string();
    let held = write.all("draw_day.held", days::HELD, values![&holder, HELD_MAX], rows::puzzle).await?;
    let mut fitting: Vec<_> = held.iter().filter(|held| new.fitting.fits(&held.shelf)).map(|held| held.id).collect();
    while let Some(id) = chosen(&mut fitting, rng) {
        if take(write, series, id).await? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Takes one of the live puzzles on these shelves. Its position is empty from then on.
async fn take_from_shelves<W: Write>(
    write: &mut W,
    series: &Series,
    among: &FittingShelves,
    rng: &mut Rng,
) -> Result<Option<PuzzleId>, StoreError> {
    for Position { shelf_id, number } in among.draw(DRAWS_MAX, rng) {
        let found = write.optional("draw_day.position", days::AT_POSITION, values![shelf_id.0, number], id).await?;
        if let Some(id) = found.map(PuzzleId)
            && take(write, series, id).await?
        {
            return Ok(Some(id));
        }
    }
    let shelves: Vec<_> = among.shelf_ids().map(|id| id.0).collect();
    let found = write.all("draw_day.few", days::FEW, values![shelves, FEW_MAX], id).await?;
    let mut left: Vec<_> = found.into_iter().map(PuzzleId).collect();
    while let Some(id) = chosen(&mut left, rng) {
        if take(write, series, id).await? {
            return Ok(Some(id));
        }
    }
    Ok(None)
}

/// Removes one of the ids at random.
fn chosen(ids: &mut Vec<PuzzleId>, rng: &mut Rng) -> Option<PuzzleId> {
    let len = Some(ids.len() as u64).filter(|len| *len > 0)?;
    Some(ids.swap_remove(usize::try_from(rng.below(len)).expect("an index fits")))
}

/// Makes the series hold a puzzle, unless another write has withdrawn or taken it. All writes lock shelves before puzzles.
async fn take<W: Write>(write: &mut W, series: &Series, id: PuzzleId) -> Result<bool, StoreError> {
    let Some(place) = write.optional("draw_day.lock_shelf", days::LOCK_SHELF, values![id.0], rows::placed).await?
    else {
        return Ok(false);
    };
    let holder = series.holder().to_string();
    if write.execute("draw_day.take", days::TAKE, values![&holder, id.0]).await? == 0 {
        return Ok(false);
    }
    if place.position.is_some() {
        let counted = write.execute("draw_day.count", stock::COUNT_EMPTY, values![place.shelf_id]).await?;
        must_touch("counting the empty position of a daily puzzle", 1, counted)?;
    }
    Ok(true)
}

/// Records a daily puzzle for an audience. Returns false if the audience has its repeat hash.
async fn record<W: Write>(write: &mut W, delivery: &DayDelivery) -> Result<bool, StoreError> {
    let DayDelivery { audience, series, date, puzzle_id } = delivery;
    if write.optional("deliver_days.find", days::DELIVERED, values![audience, puzzle_id.0], id).await?.is_some() {
        return Ok(false);
    }
    let known = write.optional("deliver_days.audience", audience::FIND, values![audience], id).await?;
    let audience_id = if let Some(id) = known {
        id
    } else {
        write.one("deliver_days.insert_audience", audience::INSERT, values![audience, write.now()], id).await?
    };
    // If the day had another puzzle before, the delivery of that puzzle loses the name.
    let name = day_name(series, *date);
    write.execute("deliver_days.release", days::UNNAME_DELIVERY, values![audience_id, &name]).await?;
    let values = values![audience_id, &name, write.now(), puzzle_id.0];
    let inserted = write.execute("deliver_days.insert", days::DELIVER, values).await?;
    must_touch("recording a daily puzzle", 1, inserted)?;
    Ok(true)
}

fn day(row: &impl Columns) -> Result<Day, StoreError> {
    let row = Reading::new(row, "days")?;
    Ok(Day { series_id: SeriesId(row.id()), date: row.word("date")?, puzzle_id: PuzzleId(row.get("puzzle_id")?) })
}
