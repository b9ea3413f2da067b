//! The puzzles that an audience holds: draws from them in the write that delivers, and withdraws them when the audience is
//! forgotten.

use crate::{
    StoreError,
    deliveries::{
        batch::{Batch, DrawnPuzzle, FEW_MAX},
        delivery::Forgotten,
        holder::Holder,
    },
    jobs::{
        job::JobState,
        job_store::{Ending, end_job},
    },
    sql::{
        database::{Columns, Write, id},
        rows,
        statement::{Sql, locking, shelf_columns, values},
    },
    stock::{filter::ShelfFilter, puzzle::Shelf, stock_store::puzzle_of},
};
use puzzled_base::ids::{JobId, PuzzleId};

/// The error of a job whose audience was forgotten.
const FORGOTTEN: &str = "its audience was forgotten";

/// Answers the callers whose draws are exclusive. Each gets a puzzle that its audience holds and has not had, and that fits.
/// All such puzzles have the same probability.
pub(crate) async fn serve_from_held<W: Write>(batch: &mut Batch<'_>, write: &mut W) -> Result<(), StoreError> {
    let callers = batch.left_for_held();
    if callers.is_empty() {
        return Ok(());
    }
    let sql = concat!("select ", shelf_columns!(), " from shelves");
    let shelves = write.all("deliver.read_shelves", sql, &[], rows::shelf).await?;
    // Callers with the same audience and criteria share one search.
    let mut searches: Vec<((&str, &ShelfFilter), Vec<Found>)> = Vec::new();
    for (at, audience, filter) in callers {
        let asked = (audience, filter);
        let known = searches.iter().position(|(known, _)| *known == asked);
        let place = known.unwrap_or(searches.len());
        if known.is_none() {
            let audience_id = batch.states.id(audience);
            searches.push((asked, find(write, &shelves, asked, audience_id).await?));
        }
        let left = &mut searches[place].1;
        let mut drawn = None;
        while !left.is_empty() && drawn.is_none() {
            let found = left.swap_remove(batch.below(at, left.len()));
            drawn = read(write, at, found).await?;
        }
        batch.answer_from_held(at, drawn);
    }
    Ok(())
}

/// A held puzzle that an audience has not had.
struct Found {
    id: i64,
    /// The hash of the solution's form, in hexadecimal digits.
    repeat_hash: String,
}

/// Finds up to [`FEW_MAX`] puzzles that an audience holds and has not had.
async fn find<W: Write>(
    write: &mut W,
    shelves: &[Shelf],
    (audience, filter): (&str, &ShelfFilter),
    audience_id: Option<i64>,
) -> Result<Vec<Found>, StoreError> {
    let sql = Sql {
        sqlite: "select id, hex(repeat_hash) as repeat_hash
                 from puzzles
                 where holder = $1 and position is null and withdrawn_at is null
                   and shelf_id in (select value from json_each($2))
                   and not exists (select 1 from deliveries
                                   where deliveries.audience_id = $3 and deliveries.repeat_hash = puzzles.repeat_hash)
                 limit $4",
        postgres: "select id, encode(repeat_hash, 'hex') as repeat_hash
                   from puzzles
                   where holder = $1 and position is null and withdrawn_at is null and shelf_id = any($2)
                     and not exists (select from deliveries
                                     where deliveries.audience_id = $3 and deliveries.repeat_hash = puzzles.repeat_hash)
                   limit $4",
    };
    let holder = Holder::Audience(audience.to_owned()).to_string();
    let fitting = shelves.iter().filter(|shelf| filter.fits(&shelf.key)).map(|shelf| shelf.id.0);
    let values = values![&holder, fitting.collect::<Vec<_>>(), audience_id, FEW_MAX];
    write.all("deliver.find_held", sql, values, found).await
}

fn found(row: &impl Columns) -> Result<Found, StoreError> {
    let repeat_hash = row.text("repeat_hash")?.ok_or(sqlx::Error::RowNotFound)?.to_owned();
    Ok(Found { id: id(row)?, repeat_hash })
}

/// Reads a puzzle that was found; `None` if another write has withdrawn or released it meanwhile.
async fn read<W: Write>(write: &mut W, at: usize, found: Found) -> Result<Option<DrawnPuzzle>, StoreError> {
    // The lock keeps `WithdrawPuzzles` from deleting the puzzle until its delivery is committed.
    let sql =
        locking!("select id from puzzles where id = $1 and position is null and withdrawn_at is null", "for key share");
    if write.optional("deliver.lock_held", sql, values![found.id], id).await?.is_none() {
        return Ok(None);
    }
    let puzzle = puzzle_of(write, "deliver.read_held", PuzzleId(found.id)).await?;
    Ok(puzzle.map(|puzzle| DrawnPuzzle { at, repeat_hash: found.repeat_hash, puzzle }))
}

/// Cancels the open jobs of a holder, removes its name from all jobs, and withdraws the puzzles that it holds.
pub(crate) async fn let_go<W: Write>(write: &mut W, holder: &Holder) -> Result<Forgotten, StoreError> {
    let holder = holder.to_string();
    let open = locking!(
        "select id from jobs where holder = $1 and state in ('queued', 'running') order by id",
        "for no key update"
    );
    let open = write.all("forget.find_jobs", open, values![&holder], id).await?;
    for job in &open {
        let cancelled = Ending::new(JobState::Cancelled, Some(FORGOTTEN));
        end_job(write, "forget.cancel_job", JobId(*job), cancelled).await?;
    }
    let unname = "update jobs set holder = null, shortfall = null where holder = $1";
    write.execute("forget.unname_jobs", unname, values![&holder]).await?;
    let sql = Sql {
        sqlite: "update puzzles set withdrawn_at = coalesce(withdrawn_at, $1),
                                    withdrawn_reason = coalesce(withdrawn_reason, $2),
                                    barred = 1, holder = null
                 where holder = $3",
        postgres: "update puzzles set withdrawn_at = coalesce(withdrawn_at, $1),
                                      withdrawn_reason = coalesce(withdrawn_reason, $2),
                                      barred = true, holder = null
                   where holder = $3",
    };
    let withdrawn = write.execute("forget.withdraw", sql, values![write.now(), FORGOTTEN, &holder]).await?;
    Ok(Forgotten { withdrawn, cancelled: open.len() as u64, ..Forgotten::default() })
}
