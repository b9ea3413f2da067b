//! The commands that need no database: they call a running server through [`client`], or make, rate, and print puzzles by themselves.
//!
//! The folders say what a command needs: those in `remote` connect to a server, those in `offline` do not, and those in `print` work with
//! and without one. The folders of `remote` are topics: jobs, puzzles, the stock, and the service itself.

pub mod client;
mod error;
pub mod input;
pub mod offline;
pub mod output;
mod print;
mod remote;

use std::path::Path;

use clap::Subcommand;

pub use error::CliError;
use offline::{bench, generate, protos, rate, verify};
use print::{picture, sheet};
use puzzled_api::v1 as pb;
use remote::{jobs, puzzles, service, stock};

/// The commands that need no database.
#[derive(Debug, Subcommand)]
#[expect(missing_docs, reason = "the arguments of each command describe it")]
pub enum Command {
    Generate(generate::GenerateArgs),
    Rate(rate::RateArgs),
    Verify(verify::VerifyArgs),
    Bench(bench::BenchArgs),
    Enqueue(jobs::enqueue::EnqueueArgs),
    Get(puzzles::get::GetArgs),
    Daily(puzzles::daily::DailyArgs),
    List(puzzles::list::ListArgs),
    Solve(puzzles::solve::SolveArgs),
    Hint(puzzles::hint::HintArgs),
    Validate(puzzles::validate::ValidateArgs),
    Withdraw(puzzles::withdraw::WithdrawArgs),
    Release(puzzles::release::ReleaseArgs),
    Import(puzzles::import::ImportArgs),
    Stock(stock::show::StockArgs),
    Target(stock::target_command::TargetArgs),
    Series(stock::series_command::SeriesArgs),
    Refill(stock::refill::RefillArgs),
    Jobs(jobs::list::JobsArgs),
    Cancel(jobs::actions::CancelArgs),
    Retry(jobs::actions::RetryArgs),
    Queue(jobs::queue::QueueArgs),
    Workers(jobs::workers::WorkersArgs),
    Audit(service::audit::AuditArgs),
    Watch(jobs::watch::WatchArgs),
    Protos(protos::ProtosArgs),
    Health(service::health::HealthArgs),
    Info(service::info::InfoArgs),
    Find(puzzles::find::FindArgs),
    Picture(picture::PictureArgs),
    Sheet(Box<sheet::SheetArgs>),
}

/// The result of a command that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Everything is done: exit code 0.
    Done,
    /// Part of the work is done, and the output says what is missing: exit code 2.
    Partly,
}

impl Command {
    /// Runs the command. `targets_of` reads the stock targets of a configuration file.
    ///
    /// # Errors
    /// [`CliError`], and the errors of `targets_of`.
    pub fn run<E: From<CliError>>(
        self,
        targets_of: impl FnOnce(&Path) -> Result<Vec<pb::CreateStockTargetRequest>, E>,
    ) -> Result<Ended, E> {
        let ended = match self {
            Self::Generate(args) => generate::run(&args),
            Self::Rate(args) => rate::run(args),
            Self::Verify(args) => verify::run(&args),
            Self::Bench(args) => bench::run(&args),
            Self::Enqueue(args) => jobs::enqueue::run(&args),
            Self::Get(args) => puzzles::get::run(&args),
            Self::Daily(args) => puzzles::daily::run(&args),
            Self::List(args) => puzzles::list::run(&args),
            Self::Solve(args) => puzzles::solve::run(&args),
            Self::Hint(args) => puzzles::hint::run(&args),
            Self::Validate(args) => puzzles::validate::run(&args),
            Self::Withdraw(args) => puzzles::withdraw::run(&args),
            Self::Release(args) => puzzles::release::run(&args),
            Self::Import(args) => puzzles::import::run(&args),
            Self::Stock(args) => stock::show::run(&args),
            Self::Target(args) => return stock::target_command::run(&args, targets_of),
            Self::Series(args) => stock::series_command::run(&args),
            Self::Refill(args) => stock::refill::run(&args),
            Self::Jobs(args) => jobs::list::run(&args),
            Self::Cancel(args) => jobs::actions::cancel(&args),
            Self::Retry(args) => jobs::actions::retry(&args),
            Self::Queue(args) => jobs::queue::run(&args),
            Self::Workers(args) => jobs::workers::run(&args),
            Self::Audit(args) => service::audit::run(&args),
            Self::Watch(args) => jobs::watch::run(&args),
            Self::Protos(args) => protos::run(&args),
            Self::Health(args) => service::health::run(&args),
            Self::Info(args) => service::info::run(&args),
            Self::Find(args) => puzzles::find::run(args),
            Self::Picture(args) => picture::run(&args),
            Self::Sheet(args) => sheet::run(&args),
        };
        Ok(ended?)
    }
}
