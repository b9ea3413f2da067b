//! The clients of the bench `stock`. They call `GetPuzzle` for any puzzle, by level, by rating range, by givens, or to
//! an audience; or they call `GetStock`.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use puzzled_api::v1::{
    GetPuzzleRequest, GetStockRequest, Kind, Level, puzzle_service_client::PuzzleServiceClient,
    stock_service_client::StockServiceClient,
};
use tonic::transport::Channel;

use super::load::Caller;

/// Puzzles that one audience takes before the next audience starts; few enough for a stock of a thousand.
const PER_AUDIENCE: u64 = 100;

/// Which puzzles fit a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Draw {
    /// Any puzzle.
    Any,
    /// A level.
    Level,
    /// A range of ratings across levels.
    Range,
    /// A range of numbers of givens.
    Givens,
    /// Any puzzle that was not yet delivered to the audience.
    Audience,
}

impl Draw {
    /// All kinds of draws, in the order of the table.
    pub(crate) const ALL: [Self; 5] = [Self::Any, Self::Level, Self::Range, Self::Givens, Self::Audience];

    /// The name in the table.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Any => "GetPuzzle",
            Self::Level => "GetPuzzle by level",
            Self::Range => "GetPuzzle by rating",
            Self::Givens => "GetPuzzle by givens",
            Self::Audience => "GetPuzzle to an audience",
        }
    }
}

/// A client that draws puzzles.
#[derive(Debug, Clone)]
pub(crate) struct Drawer {
    client: PuzzleServiceClient<Channel>,
    draw: Draw,
    drawn: Arc<AtomicU64>,
    name: u64,
}

impl Drawer {
    /// Each client that `new` returns has its own audiences.
    pub(crate) fn new(client: PuzzleServiceClient<Channel>, draw: Draw) -> Self {
        static NAME: AtomicU64 = AtomicU64::new(0);
        Self { client, draw, drawn: Arc::default(), name: NAME.fetch_add(1, Ordering::Relaxed) }
    }

    /// Draws a puzzle and returns its ID.
    pub(crate) async fn id(&mut self) -> String {
        let any = GetPuzzleRequest { kind: Kind::Sudoku.into(), ..GetPuzzleRequest::default() };
        let request = match self.draw {
            Draw::Any => any,
            Draw::Level => GetPuzzleRequest { level: Level::Medium.into(), ..any },
            Draw::Range => GetPuzzleRequest { min_rating: Some(1.5), max_rating: Some(3.0), ..any },
            Draw::Givens => GetPuzzleRequest { min_givens: Some(28), max_givens: Some(30), ..any },
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

/// A client that calls `GetStock`.
#[derive(Debug, Clone)]
pub(crate) struct StockReader(pub(crate) StockServiceClient<Channel>);

impl Caller for StockReader {
    async fn call(&mut self) {
        let stock = self.0.get_stock(GetStockRequest::default()).await.expect("the stock").into_inner();
        assert!(stock.total > 0);
    }
}
