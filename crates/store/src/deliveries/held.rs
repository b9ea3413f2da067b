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
        statement::values,
        statements::{held, stock},
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
    let shelves = write.all("deliver.read_shelves", stock::SHELVES, &[], rows::shelf).await?;
    // Callers with the same audience and criteria share one search.
    let mut searches: Vec<((&str, &ShelfFilter), Vec<HeldPuzzle>)> = Vec::new();
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
struct HeldPuzzle {
    id: i64,
    /// The repeat hash, in hexadecimal digits.
    repeat_hash: String,
}

/// Finds up to [`FEW_MAX`] puzzles that an audience holds and has not had.
async fn find<W: Write>(
    write: &mut W,
    shelves: &[Shelf],
    (audience, filter): (&str, &ShelfFilter),
    audience_id: Option<i64>,
) -> Result<Vec<HeldPuzzle>, StoreError> {
    let holder = Holder::Audience(audience.to_owned()).to_string();
    let fitting = shelves.iter().filter(|shelf| filter.fits(&shelf.key)).map(|shelf| shelf.id.0);
    let values = values![&holder, fitting.collect::<Vec<_>>(), audience_id, FEW_MAX];
    write.all("deliver.find_held", held::FIND, values, found).await
}

fn found(row: &impl Columns) -> Result<HeldPuzzle, StoreError> {
    let repeat_hash = row.text("repeat_hash")?.ok_or(sqlx::Error::RowNotFound)?.to_owned();
    Ok(HeldPuzzle { id: id(row)?, repeat_hash })
}

/// Reads a puzzle that was found; `None` if another write has withdrawn or released it meanwhile.
async fn read<W: Write>(write: &mut W, at: usize, found: HeldPuzzle) -> Result<Option<DrawnPuzzle>, StoreError> {
    if write.optional("deliver.lock_held", held::LOCK, values![found.id], id).await?.is_none() {
        return Ok(None);
    }
    let puzzle = puzzle_of(write, "deliver.read_held", PuzzleId(found.id)).await?;
    Ok(puzzle.map(|puzzle| DrawnPuzzle { at, repeat_hash: found.repeat_hash, puzzle }))
}

/// Cancels the open jobs of a holder, removes its name from all jobs, and withdraws the puzzles that it holds.
pub(crate) async fn let_go<W: Write>(write: &mut W, holder: &Holder) -> Result<Forgotten, StoreError> {
    let holder = holder.to_string();
    let open = write.all("forget.find_jobs", held::LOCK_JOBS, values![&holder], id).await?;
    for job in &open {
        let cancelled = Ending::new(JobState::Cancelled, Some(FORGOTTEN));
        end_job(write, "forget.cancel_job", JobId(*job), cancelled).await?;
    }
    write.execute("forget.unname_jobs", held::UNNAME_JOBS, values![&holder]).await?;
    let withdrawn = write.execute("forget.withdraw", held::WITHDRAW, values![write.now(), FORGOTTEN, &holder]).await?;
    Ok(Forgotten { withdrawn, cancelled: open.len() as u64, ..Forgotten::default() })
}
