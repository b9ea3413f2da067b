//! Measures what access, TLS, and observability cost: the rate of `GetPuzzle` on servers with these features, relative
//! to a bare server. The measurements alternate, and each rate is compared with that of the bare server in the same
//! round, so that other load on the machine affects both.

use std::path::Path;

use super::{
    load::{Load, Measured},
    observer,
    server::Server,
};

/// What a server does for each call besides the call itself.
#[derive(Debug)]
pub(crate) struct Setup<'a> {
    name: &'static str,
    /// The program; `None` for the program that was built with the bench.
    pub(crate) program: Option<&'a Path>,
    pub(crate) has_tls: bool,
    /// Whether callers have a token, and quotas that they stay within.
    pub(crate) has_access: bool,
    /// Where the server's collector is. With a collector, the server sends 1 % of its traces and writes the default
    /// call log, and the bench scrapes its ops port every second.
    pub(crate) collector: Option<Collector>,
    /// The lowest wanted rate with the most calls in flight, relative to the bare server.
    wanted: Option<f64>,
}

/// The collector of an observed server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Collector {
    /// In the process of the bench.
    Here,
    /// Nothing listens at its address.
    Away,
}

const BARE: Setup<'_> =
    Setup { name: "bare", program: None, has_tls: false, has_access: false, collector: None, wanted: None };

/// The rows, the bare server first. A second bare server shows how much two equal servers differ.
fn setups(other: Option<&Path>) -> Vec<Setup<'_>> {
    let mut setups = vec![
        BARE,
        Setup { name: "bare, again", ..BARE },
        Setup { name: "token + quotas", has_access: true, wanted: Some(0.97), ..BARE },
        Setup { name: "TLS + token + quotas", has_tls: true, has_access: true, wanted: Some(0.93), ..BARE },
        Setup { name: "metrics + call log + 1 % traces", collector: Some(Collector::Here), wanted: Some(0.95), ..BARE },
        Setup { name: "the same, collector down", collector: Some(Collector::Away), wanted: Some(0.95), ..BARE },
        Setup {
            name: "everything without TLS",
            has_access: true,
            collector: Some(Collector::Here),
            wanted: Some(0.92),
            ..BARE
        },
        Setup {
            name: "everything",
            has_tls: true,
            has_access: true,
            collector: Some(Collector::Here),
            wanted: Some(0.88),
            ..BARE
        },
    ];
    setups.extend(other.map(|program| Setup { name: "bare, other build", program: Some(program), ..BARE }));
    setups
}

/// Measures each setup `rounds` times with each number of `streams`. Prints the medians of the rates, of the rates
/// relative to the bare server's in the same round, and of the server's processor time per call. `other` is another
/// build, which gets a row as a bare server.
pub(crate) async fn compare(load: &Load, database: &Path, other: Option<&Path>, rounds: usize, streams: &[usize]) {
    let mut servers = Vec::new();
    let collector = observer::collector().await;
    let setups = setups(other);
    for setup in &setups {
        servers.push(Server::start(setup, database, &collector).await);
    }
    let most = streams.iter().max();
    println!("setups, each server in a separate process, median of {rounds} rounds of {:?}", load.length);
    println!("| setup | streams | calls/s | rate / bare | wanted | server's CPU µs a call |");
    println!("|---|---|---|---|---|---|");
    for &streams in streams {
        let measured = rows(load, &servers, rounds, streams).await;
        for (setup, row) in setups.iter().zip(&measured) {
            let rate = median(row.iter().map(Measured::per_second));
            let share = median(row.iter().zip(&measured[0]).map(|(one, bare)| one.per_second() / bare.per_second()));
            let cpu = median(row.iter().map(Measured::cpu_us));
            let wanted = setup.wanted.filter(|_| Some(&streams) == most);
            let wanted = wanted.map_or_else(String::new, |wanted| format!(">= {wanted}"));
            println!("| {} | {streams} | {rate:.0} | {share:.3} | {wanted} | {cpu:.1} |", setup.name);
        }
    }
}

/// The measurements of each server, in the order of the rounds.
async fn rows(load: &Load, servers: &[Server], rounds: usize, streams: usize) -> Vec<Vec<Measured>> {
    let mut measured = vec![Vec::new(); servers.len()];
    for round in 0..rounds {
        // Each round begins with another server, so that none always follows the same one.
        for at in (0..servers.len()).map(|turn| (turn + round) % servers.len()) {
            let load = Load { process: servers[at].process(), ..load.clone() };
            measured[at].push(load.measure(streams, || servers[at].client()).await);
        }
    }
    measured
}

fn median(figures: impl Iterator<Item = f64>) -> f64 {
    let mut figures: Vec<_> = figures.collect();
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}
