//! `puzzled stock`: what a server has in stock, and how its stock targets stand.

use clap::Args;

use super::{
    CliError, Ended,
    client::{Server, ServerArgs},
    json, output, queue, tables,
};
use crate::proto::v1::{self as pb, stock_service_client::StockServiceClient};

/// Shows a server's stock and how its stock targets stand
///
/// Says so above it if the queue is paused or the stock is full. Exit code: 0 every target has at least its low-water mark in stock, 1 refused or
/// failed, 2 some have fewer.
#[derive(Debug, Args)]
pub(super) struct StockArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Print one JSON object instead of tables
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &StockArgs) -> Result<Ended, CliError> {
    let read = async |server: Server| Ok((queue::read(&server).await?, read(&server).await?));
    let (queue, stock) = args.server.ask(read)?;
    let ended = ended(&stock.targets);
    output::print(&if args.json {
        json::stock(stock, queue)? + "\n"
    } else {
        queue::stops_in_words(&queue) + &as_tables(&stock)
    })?;
    Ok(ended)
}

/// The stock as it is now.
pub(super) async fn read(server: &Server) -> Result<pb::GetStockResponse, CliError> {
    let mut client = StockServiceClient::new(server.channel.clone());
    let stock = client.get_stock(pb::GetStockRequest::default()).await;
    Ok(stock.map_err(|status| server.refused(&status))?.into_inner())
}

/// Whether each of these targets has at least its low-water mark in stock, whether or not a job is filling it.
pub(super) fn ended(targets: &[pb::TargetOutlook]) -> Ended {
    let low_water = |outlook: &pb::TargetOutlook| outlook.target.as_ref().map_or(0, |target| target.low_water);
    let is_stocked = |outlook: &pb::TargetOutlook| outlook.have >= u64::from(low_water(outlook));
    if targets.iter().all(is_stocked) { Ended::Done } else { Ended::Partly }
}

fn as_tables(stock: &pb::GetStockResponse) -> String {
    let levels = stock
        .levels
        .iter()
        .map(|of| vec![tables::word(of.kind()), of.variant.clone(), tables::word(of.level()), of.count.to_string()]);
    let levels = tables::table(&[("KIND", false), ("VARIANT", false), ("LEVEL", false), ("PUZZLES", true)], levels);
    let total = format!("{} puzzles in stock\n", stock.total);
    if stock.targets.is_empty() {
        return format!("{levels}\n{total}No stock targets are set.\n");
    }
    format!("{levels}\n{total}\n{}", targets(&stock.targets))
}

/// The table of targets, and below it what went wrong with some.
pub(super) fn targets(outlooks: &[pb::TargetOutlook]) -> String {
    let columns = [
        ("TARGET", false),
        ("PUZZLES", false),
        ("HAVE", true),
        ("OF", true),
        ("STATE", false),
        ("UNTIL", false),
        ("PER MIN", true),
        ("S EACH", true),
        ("FULL IN", true),
    ];
    let rows = outlooks.iter().map(|outlook| {
        let target = outlook.target.clone().unwrap_or_default();
        let rate = outlook.rate.as_ref().filter(|rate| rate.hits > 0);
        let full_in = outlook.time_to_full.as_ref().filter(|_| outlook.missing > 0);
        vec![
            target.id.clone(),
            tables::target(&target),
            outlook.have.to_string(),
            target.target.to_string(),
            tables::word(outlook.state()),
            outlook.due_time.as_ref().map(ToString::to_string).unwrap_or_default(),
            rate.map(|rate| tables::short(rate.hits_per_minute)).unwrap_or_default(),
            rate.map(|rate| tables::short(rate.seconds_per_hit)).unwrap_or_default(),
            full_in.map(tables::duration).unwrap_or_default(),
        ]
    });
    let remarks: Vec<_> = outlooks.iter().filter_map(remark).collect();
    tables::table(&columns, rows) + &remarks.concat()
}

fn remark(outlook: &pb::TargetOutlook) -> Option<String> {
    let id = outlook.target.as_ref().map_or("", |target| &target.id);
    if !outlook.refusal.is_empty() {
        return Some(format!("{id}: unreachable: {}\n", outlook.refusal));
    }
    if let Some(pb::Unreachable { tries, max_rate, required_rate }) = outlook.unreachable {
        return Some(format!(
            "{id}: unreachable: no puzzle in {tries} tries, so with 99 % confidence fewer than {} to a try where {} are \
             required\n",
            tables::short(max_rate),
            tables::short(required_rate)
        ));
    }
    (outlook.missing > 0 && !outlook.last_error.is_empty()).then(|| format!("{id}: {}\n", outlook.last_error))
}
