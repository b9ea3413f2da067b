//! Measures the puzzles per second of the engine and of a peer, a crate in the same process. The two alternate, so that other
//! load on the machine affects both. Also measures work that no peer does. Formats each result as text or JSON.

use std::time::{Duration, Instant};

/// How often each side does each piece of work. The median time counts.
const PASSES: usize = 7;

pub const HEADLINE: &str = "what                            ours/s      theirs/s    ratio";

/// One line of the table.
#[derive(Debug)]
pub struct Row {
    pub name: String,
    /// Our items per second on one thread.
    pub ours: f64,
    /// The peer's items per second; `None` if the peer lacks the function.
    pub theirs: Option<f64>,
    /// Ours / theirs.
    pub ratio: Option<f64>,
}

impl Row {
    pub fn text(&self) -> String {
        let number = |number: Option<f64>, digits| number.map_or("-".to_owned(), |number| format!("{number:.digits$}"));
        format!("{:<26} {:>11.0} {:>13} {:>8}", self.name, self.ours, number(self.theirs, 0), number(self.ratio, 2))
    }

    pub fn json(&self) -> String {
        let number = |number: Option<f64>| number.map_or("null".to_owned(), |number| format!("{number:.3}"));
        format!(
            "{{\"set\":\"{}\",\"ours_per_second\":{:.1},\"theirs_per_second\":{},\"ratio\":{}}}",
            self.name,
            self.ours,
            number(self.theirs),
            number(self.ratio)
        )
    }
}

/// Work in pieces of some hundred microseconds, short enough that most of them are not interrupted.
#[derive(Debug, Clone, Copy)]
pub struct Work<'a> {
    pub name: &'a str,
    pub pieces: usize,
    /// Number of puzzles or grids in all pieces together.
    pub items: usize,
}

/// Compares two ways to do the same work. Each function gets the number of the piece.
pub fn compare(work: Work<'_>, mut ours: impl FnMut(usize), mut theirs: impl FnMut(usize)) -> Row {
    let mut times = vec![[const { Vec::new() }; 2]; work.pieces];
    for _ in 0..PASSES {
        for (piece, [our_times, their_times]) in times.iter_mut().enumerate() {
            our_times.push(time(&mut ours, piece));
            their_times.push(time(&mut theirs, piece));
        }
    }
    let [ours, theirs] = [0, 1].map(|side| rate(work, times.iter().map(|sides| median(&sides[side]))));
    Row { name: work.name.to_owned(), ours, theirs: Some(theirs), ratio: Some(ours / theirs) }
}

/// Measures work that no peer does.
pub fn alone(work: Work<'_>, mut ours: impl FnMut(usize)) -> Row {
    let medians: Vec<_> = (0..work.pieces)
        .map(|piece| median(&(0..PASSES).map(|_| time(&mut ours, piece)).collect::<Vec<_>>()))
        .collect();
    Row { name: work.name.to_owned(), ours: rate(work, medians.into_iter()), theirs: None, ratio: None }
}

fn time(work: &mut impl FnMut(usize), piece: usize) -> Duration {
    let start = Instant::now();
    work(piece);
    start.elapsed()
}

fn median(times: &[Duration]) -> Duration {
    let mut times = times.to_vec();
    times.sort_unstable();
    times[times.len() / 2]
}

/// Items per second, from the times of the pieces.
fn rate(work: Work<'_>, times: impl Iterator<Item = Duration>) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "millions at most")]
    let items = work.items as f64;
    items / times.sum::<Duration>().as_secs_f64()
}
