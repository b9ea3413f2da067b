//! The names that many tests of the command line use.

pub(crate) use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _},
    path::{Path, PathBuf},
    process::Stdio,
    sync::Arc,
};

pub(crate) use puzzled_api::v1::{
    CreateStockTargetRequest, GenerateRequest, Kind, Level, Symmetry, puzzle_service_client::PuzzleServiceClient,
    stock_service_client::StockServiceClient,
};
pub(crate) use rustix::process::{Pid, Signal, kill_process};
pub(crate) use serde_json::Value;
pub(crate) use sqlx::{Connection as _, SqliteConnection};
pub(crate) use tempfile::{TempDir, tempdir};
pub(crate) use tokio::task::spawn_blocking;
pub(crate) use tonic::transport::Channel;

pub(crate) use crate::{
    Ran,
    keeping::{run_in, stocked, tamper},
    ops::{ask, easy, ended, queue, start},
    puzzled, ran, run, run_with_input,
    serve::{Server, made_by_job, request},
    with_input,
};
