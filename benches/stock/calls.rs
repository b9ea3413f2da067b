//! The calls that the stock bench measures.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use puzzled::proto::v1::{
    GetPuzzleRequest, GetStockRequest, Kind, Level, puzzle_service_client::PuzzleServiceClient,
    stock_service_client::StockServiceClient,
};
use tonic::transport::Channel;

use super::load::Caller;

/// Puzzles that one audience takes before the next one comes: few enough that a thousand puzzles do for it.
const PER_AUDIENCE: u64 = 100;

/// What fits.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draw {
    /// Any puzzle.
    Any,
    /// A level.
    Level,
    /// A range of ratings across levels.
    Range,
    /// Any puzzle that an audience has not had.
    Audience,
}

impl Draw {
    /// All of them.
    pub(crate) const ALL: [Self; 4] = [Self::Any, Self::Level, Self::Range, Self::Audience];

    /// What it is called in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Any => "GetPuzzle",
            Self::Level => "GetPuzzle by level",
            Self::Range => "GetPuzzle by rating",
            Self::Audience => "GetPuzzle to an audience",
        }
    }
}

/// Draws puzzles.
#[derive(Debug, Clone)]
pub(crate) struct Drawer {
    client: PuzzleServiceClient<Channel>,
    draw: Draw,
    drawn: Arc<AtomicU64>,
    name: u64,
}

impl Drawer {
    /// On this connection. Its audiences are its own.
    pub(crate) fn new(client: PuzzleServiceClient<Channel>, draw: Draw) -> Self {
        static NAME: AtomicU64 = AtomicU64::new(0);
        Self { client, draw, drawn: Arc::default(), name: NAME.fetch_add(1, Ordering::Relaxed) }
    }

    /// The id of the puzzle.
    pub(crate) async fn id(&mut self) -> String {
        let any = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
        let request = match self.draw {
            Draw::Any => any,
            Draw::Level => GetPuzzleRequest { level: Level::Medium.into(), ..any },
            Draw::Range => GetPuzzleRequest { min_rating: Some(1.5), max_rating: Some(3.0), ..any },
            Draw::Audience => {
                let audience = self.drawn.fetch_add(1, Ordering::Relaxed) / PER_AUDIENCE;
                GetPuzzleRequest { audience: format!("reader {} of {}", audience, self.name), ..any }
            }
        };
        let drawn = self.client.get_puzzle(request).await.expect("a puzzle").into_inner();
        drawn.puzzle.expect("a puzzle").id
    }
}

impl Caller for Drawer {
    async fn call(&mut self) {
        self.id().await;
    }
}

/// Asks for the stock.
#[derive(Debug, Clone)]
pub(crate) struct StockReader(pub(crate) StockServiceClient<Channel>);

impl Caller for StockReader {
    async fn call(&mut self) {
        let stock = self.0.get_stock(GetStockRequest::default()).await.expect("the stock").into_inner();
        assert!(stock.total > 0);
    }
}
