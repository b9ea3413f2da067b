//! `puzzled target`: lists, applies, and deletes the stock targets of a server.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use prost_types::FieldMask;
use tonic::Status;

use crate::{
    CliError, Ended,
    client::{Connection, Server, ServerArgs, list},
    output::{
        self, json, numbers,
        tables::{self, Cells},
    },
};
use puzzled_api::v1::{self as pb, stock_service_client::StockServiceClient};

/// The fields that `apply` changes on an existing target.
const CHANGED: [&str; 6] = ["target", "low_water", "priority", "cron", "time_zone", "window_minutes"];

/// List, apply, or delete a server's stock targets
#[derive(Debug, Args)]
pub struct TargetArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// List the stock targets
    List {
        #[command(flatten)]
        server: ServerArgs,

        /// Print one JSON object per line, a `StockTarget`
        #[arg(long)]
        json: bool,
    },
    /// Create or update each [[target]] of a file; no target is deleted, and none is marked as declared
    Apply {
        #[command(flatten)]
        server: ServerArgs,

        /// Configuration file with the targets, TOML
        #[arg(value_name = "FILE")]
        file: PathBuf,
    },
    /// Delete a stock target; its puzzles stay in stock
    Delete {
        #[command(flatten)]
        server: ServerArgs,

        /// ID of the target, such as target-3
        #[arg(value_name = "TARGET")]
        id: String,
    },
}

/// Runs an action. `targets_of` reads the stock targets of a configuration file.
pub(crate) fn run<E: From<CliError>>(
    args: &TargetArgs,
    targets_of: impl FnOnce(&Path) -> Result<Vec<pb::CreateStockTargetRequest>, E>,
) -> Result<Ended, E> {
    match &args.action {
        Action::List { server, json } => Ok(list(server, *json)?),
        Action::Apply { server, file } => Ok(apply(server, targets_of(file)?)?),
        Action::Delete { server, id } => Ok(delete(server, id)?),
    }
}

fn list(server: &ServerArgs, as_json: bool) -> Result<Ended, CliError> {
    let targets = server.ask(async |server: Server| read(&server).await)?;
    output::print(&if as_json {
        json::messages(targets)?
    } else if targets.is_empty() {
        "No stock targets are set; create some with `puzzled target apply FILE`.\n".to_owned()
    } else {
        as_table(&targets)
    })?;
    Ok(Ended::Done)
}

fn apply(server: &ServerArgs, wanted: Vec<pb::CreateStockTargetRequest>) -> Result<Ended, CliError> {
    if wanted.is_empty() {
        return output::print_result("The file has no [[target]].\n");
    }
    server.ask(async |server: Server| {
        let known = read(&server).await?;
        let mut client = StockServiceClient::new(server.channel.clone());
        for (wish, number) in wanted.into_iter().zip(1..) {
            let same = known.iter().find(|target| is_same(target, &wish)).map(|target| target.id.clone());
            let line = apply_one(&mut client, same, wish).await;
            // Printed at once, so that the lines show what has changed if a later table is refused.
            output::print(
                &line.map_err(|status| server.failed(format!("[[target]] {number}: {}", server.reason(&status))))?,
            )?;
        }
        Ok(Ended::Done)
    })
}

/// Updates the target with this ID, or creates one. Returns a line that says what it did.
async fn apply_one(
    client: &mut StockServiceClient<Connection>,
    same: Option<String>,
    wish: pb::CreateStockTargetRequest,
) -> Result<String, Status> {
    let (done, answer) = if let Some(id) = same {
        let answer = client.update_stock_target(update(id, wish)).await;
        ("updated", answer.map(|answer| answer.into_inner().target))
    } else {
        let answer = client.create_stock_target(wish).await;
        ("created", answer.map(|answer| answer.into_inner().target))
    };
    let target = answer?.unwrap_or_default();
    Ok(format!("{} {done}: {} {}\n", target.id, numbers::count(target.target), tables::target(&target)))
}

fn delete(server: &ServerArgs, id: &str) -> Result<Ended, CliError> {
    let request = pb::DeleteStockTargetRequest { id: id.to_owned(), allow_missing: false };
    let target = server.ask(async |server: Server| {
        let answer = StockServiceClient::new(server.channel.clone()).delete_stock_target(request).await;
        Ok(answer.map_err(|status| server.refused(&status))?.into_inner().target.unwrap_or_default())
    })?;
    output::print_result(&format!("{} deleted: {}\n", target.id, tables::target(&target)))
}

/// Returns all stock targets, read page by page.
async fn read(server: &Server) -> Result<Vec<pb::StockTarget>, CliError> {
    let request = pb::ListStockTargetsRequest::default();
    list!(server, StockServiceClient.list_stock_targets(request).targets, u32::MAX)
}

/// Whether a target is for the same puzzles.
fn is_same(target: &pb::StockTarget, wish: &pb::CreateStockTargetRequest) -> bool {
    let known =
        (target.kind, &target.variant, target.symmetry, &target.technique, target.min_givens, target.max_givens);
    let asked = (wish.kind, &wish.variant, wish.symmetry, &wish.technique, wish.min_givens, wish.max_givens);
    let difficulty = (target.level, target.min_rating, target.max_rating);
    known == asked && difficulty == (wish.level, wish.min_rating, wish.max_rating)
}

fn update(id: String, wish: pb::CreateStockTargetRequest) -> pb::UpdateStockTargetRequest {
    pb::UpdateStockTargetRequest {
        id,
        target: Some(wish.target),
        low_water: Some(wish.low_water),
        priority: wish.priority,
        cron: Some(wish.cron),
        time_zone: Some(wish.time_zone).filter(|zone| !zone.is_empty()),
        window_minutes: Some(wish.window_minutes).filter(|minutes| *minutes > 0),
        update_mask: Some(FieldMask { paths: CHANGED.map(str::to_owned).to_vec() }),
    }
}

fn as_table(targets: &[pb::StockTarget]) -> String {
    tables::list(
        targets,
        &[
            ("TARGET", Cells::Text, &|target| target.id.clone()),
            ("PUZZLES", Cells::Wrapped, &tables::target),
            ("WANTED", Cells::Numbers, &|target| numbers::count(target.target)),
            ("LOW WATER", Cells::Numbers, &|target| numbers::count(target.low_water)),
            ("PRIORITY", Cells::Numbers, &|target| target.priority.to_string()),
            ("CRON", Cells::Wrapped, &|target| target.cron.clone()),
            ("DECLARED BY", Cells::Wrapped, &|target| target.declared_by.clone()),
        ],
    )
}
