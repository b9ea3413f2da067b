//! `puzzled stock`: shows what a server has in stock, and the states of its stock targets.

use clap::Args;

use super::outlooks;
use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    output::{
        self, json, numbers,
        tables::{self, Cells},
    },
    remote::jobs::{queue, workers},
};
use puzzled_api::v1::{self as pb, stock_service_client::StockServiceClient};

/// Show a server's stock and its stock targets
///
/// If the queue is paused or the stock is full, the first line says so. PER MIN is the number of puzzles per minute on
/// all workers. EACH is the working time per puzzle. The time after `waiting` is the time until the next window. Exit
/// code: 0 every target has at least its low-water mark in stock, 1 refused or failed, 2 some have fewer.
#[derive(Debug, Args)]
pub struct StockArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Print errors in full
    #[arg(short, long)]
    verbose: bool,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &StockArgs) -> Result<Ended, CliError> {
    let read =
        async |server: Server| Ok((queue::read(&server).await?, read(&server).await?, workers::count(&server).await?));
    let (queue, stock, workers) = args.server.ask(read)?;
    let ended = outlooks::ended(&stock.targets);
    output::print(&if args.json {
        json::stock(stock, queue)? + "\n"
    } else {
        queue::stops_in_words(&queue) + &as_tables(&stock, workers, args.verbose)
    })?;
    Ok(ended)
}

/// Returns the current stock.
pub(crate) async fn read(server: &Server) -> Result<pb::GetStockResponse, CliError> {
    let mut client = StockServiceClient::new(server.channel.clone());
    let stock = client.get_stock(pb::GetStockRequest::default()).await;
    Ok(stock.map_err(|status| server.refused(&status))?.into_inner())
}

fn as_tables(stock: &pb::GetStockResponse, workers: u32, whole: bool) -> String {
    let columns =
        [("KIND", Cells::Text), ("VARIANT", Cells::Wrapped), ("LEVEL", Cells::Text), ("PUZZLES", Cells::Numbers)];
    let levels = stock.levels.iter().map(|of| {
        vec![tables::word(of.kind()), of.variant.clone(), tables::word(of.level()), numbers::count(of.count)]
    });
    let levels = tables::table(&columns, levels);
    let held = match stock.held {
        0 => String::new(),
        held => format!(", and {} that a series or an audience holds", numbers::count(held)),
    };
    let total = format!("{} puzzles in stock{held}\n", numbers::count(stock.total));
    if stock.targets.is_empty() {
        return format!("{levels}\n{total}No stock targets are set; create some with `puzzled target apply FILE`.\n");
    }
    format!("{levels}\n{total}\n{}", outlooks::table(&stock.targets, workers, whole))
}
