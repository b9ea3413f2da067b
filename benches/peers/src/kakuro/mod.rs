//! The command `peers kakuro`: measures how long it takes to make, solve, and cancel Kakuros, what the rating depends
//! on, and how long contradictions are. Also exports Kakuros for other programs.

mod bounds;
mod cancel;
mod chains;
mod export;
mod make;
mod scale;
mod solve;

use std::io;

pub const USAGE: &str = "peers kakuro bounds [COUNT [ROWS]] | scale [COUNT] | chains COUNT [FILE…] | cancel [COUNT] | export COUNT [SEED] | solve FILE…";

pub fn run(arguments: &[String]) -> io::Result<()> {
    let number = |at: usize, default: u32| match arguments.get(at) {
        None => Ok(default),
        Some(text) => text.parse().map_err(|_| io::Error::other(format!("{text:?} is no number"))),
    };
    match arguments.first().map(String::as_str) {
        Some("bounds") => bounds::run(number(1, 200)?, arguments.get(2).map_or("", String::as_str)),
        Some("scale") => scale::run(number(1, 500)?),
        Some("cancel") => cancel::run(number(1, 100)?),
        Some("export") => export::run(number(1, 0)?, u64::from(number(2, 7)?)),
        Some("chains") => return chains::run(number(1, 0)?, arguments.get(2..).unwrap_or_default()),
        Some("solve") => return solve::run(&arguments[1..]),
        _ => return Err(io::Error::other(format!("usage: {USAGE}"))),
    }
    Ok(())
}
