//! Compares several builds of the server on one stock: the rate and the median latency of `GetPuzzle`, with and without
//! an audience. Builds that lack the criterion `givens` ignore it. To find the cost of a step of `GetPuzzle`, compare
//! with a build that lacks this step.

use std::path::{Path, PathBuf};

use super::{STREAMS, Size, calls::Draw, load::Load, server::Server};

/// The calls to compare.
const DRAWS: [Draw; 4] = [Draw::Any, Draw::Level, Draw::Givens, Draw::Audience];

/// A build, and the results of each call in each round.
struct Build {
    program: PathBuf,
    server: Server,
    rounds: [Vec<Round>; DRAWS.len()],
}

/// The calls per second with the most calls in flight, and the median latency in microseconds with one.
#[derive(Clone, Copy)]
struct Round {
    per_second: f64,
    median_us: f64,
}

/// Prints the medians over all rounds, and the medians of their ratios to the first build in the same round.
pub(crate) async fn compare(programs: &[(PathBuf, &Path)], size: &Size) {
    let mut builds = Vec::new();
    for (program, file) in programs {
        let server = Server::start(program, file).await;
        builds.push(Build { program: program.clone(), server, rounds: [const { Vec::new() }; DRAWS.len()] });
    }
    for build in &builds {
        build.server.warm();
    }
    // In an additional first round, which does not count, the servers fill their caches.
    for round in 0..=size.rounds {
        for (at, draw) in DRAWS.into_iter().enumerate() {
            for build in &mut builds {
                let measured = build.round(draw, size).await;
                if round > 0 {
                    build.rounds[at].push(measured);
                }
            }
        }
    }
    print(&builds);
}

impl Build {
    async fn round(&self, draw: Draw, size: &Size) -> Round {
        let [one, many] = STREAMS;
        let load = Load { length: size.length(), process: self.server.process.clone() };
        let per_second = load.measure(many, || self.server.drawer(draw)).await.per_second();
        let median_us = load.measure(one, || self.server.drawer(draw)).await.within_us(50.0);
        Round { per_second, median_us }
    }
}

fn print(builds: &[Build]) {
    println!("| call | build | calls/s at {} streams | ratio | p50 µs at 1 stream | ratio |", STREAMS[1]);
    println!("|---|---|---|---|---|---|");
    for (at, draw) in DRAWS.into_iter().enumerate() {
        for build in builds {
            let (own, first) = (&build.rounds[at], &builds[0].rounds[at]);
            let median_of = |value: fn(Round) -> f64| {
                let ratios = own.iter().zip(first).map(|(&own, &first)| value(own) / value(first));
                (median(own.iter().copied().map(value)), median(ratios))
            };
            let (rate, rate_ratio) = median_of(|round| round.per_second);
            let (p50, p50_ratio) = median_of(|round| round.median_us);
            let (call, program) = (draw.name(), build.program.display());
            println!("| {call} | {program} | {rate:.0} | {rate_ratio:.2} | {p50:.0} | {p50_ratio:.2} |");
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut sorted: Vec<_> = values.collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}
