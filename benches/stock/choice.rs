//! Tests whether `GetPuzzle` draws each puzzle with the same chance: a chi-square test over the puzzles of a small
//! stock, or over equal ranges of puzzle IDs in a large stock.

use tokio::task::JoinSet;

use super::{calls::Draw, server::Server};

/// Number of cells of the chi-square test.
const CELLS: u32 = 1_000;

/// Number of concurrent callers.
const CALLERS: u32 = 64;

/// The bound that a fair choice exceeds once in a thousand runs, in standard deviations of the normal distribution.
const TOO_MUCH: f64 = 3.09;

/// Draws from a whole stock and prints the test.
pub(crate) async fn print(server: &Server, puzzles: u32, draws: u32) {
    let mut callers = JoinSet::new();
    for caller in 0..CALLERS {
        let mut drawer = server.drawer(Draw::Any).await;
        let own = draws / CALLERS + u32::from(caller < draws % CALLERS);
        callers.spawn(async move {
            let mut ids = Vec::new();
            for _ in 0..own {
                let id = drawer.id().await;
                ids.push(id.strip_prefix("puzzle-").and_then(|number| number.parse::<u64>().ok()).expect("an id"));
            }
            ids
        });
    }
    let mut cells = vec![0_u32; CELLS.min(puzzles) as usize];
    let cells_len = cells.len() as u64;
    for id in callers.join_all().await.into_iter().flatten() {
        // IDs start at 1 and have no gaps.
        let cell = (id - 1) * cells_len / u64::from(puzzles);
        cells[usize::try_from(cell).expect("a cell")] += 1;
    }
    let cells_f = f64::from(u32::try_from(cells.len()).expect("few cells"));
    let expected = f64::from(draws) / cells_f;
    let statistic: f64 = cells.iter().map(|&count| (f64::from(count) - expected).powi(2) / expected).sum();
    let deviations = normal(statistic, cells_f - 1.0);
    println!(
        "choice from {puzzles} puzzles, {draws} draws: chi-square {statistic:.0} at {} degrees of freedom, {deviations:+.2} \
         standard deviations: {}",
        cells.len() - 1,
        if deviations.abs() < TOO_MUCH { "fair" } else { "UNFAIR" }
    );
}

/// Converts a chi-square statistic to standard deviations of the normal distribution (Wilson and Hilferty 1931).
fn normal(statistic: f64, freedom: f64) -> f64 {
    let ninth = 2.0 / (9.0 * freedom);
    ((statistic / freedom).cbrt() - (1.0 - ninth)) / ninth.sqrt()
}
