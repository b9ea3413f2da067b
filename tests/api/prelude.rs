//! The vocabulary of the tests: the messages of the API, and the types and helpers that many tests use.

pub(crate) use std::{collections::BTreeSet, sync::Arc, time::Duration};

pub(crate) use prost_reflect::DescriptorPool;
pub(crate) use puzzled_api::v1 as pb;
pub(crate) use puzzled_base::clock::{ManualClock, Millis};
pub(crate) use puzzled_engine::shared::{level::Tenths, spec::Difficulty, symmetry::Symmetry, tries::Tally};
pub(crate) use puzzled_store::jobs::slice::SliceWork;
pub(crate) use tokio::{net::TcpStream, task::JoinSet};
pub(crate) use tokio_util::sync::CancellationToken;
pub(crate) use tonic::{Code, Status, transport::Channel};
pub(crate) use tonic_health::pb::{HealthCheckRequest, health_check_response::ServingStatus};

pub(crate) use crate::store::Gate;
pub(crate) use crate::{
    calls::{job_1, sudoku_for},
    errors::{check, check_fields},
    generate::sudoku,
    raw::{self, PREFACE, Raw, SETTINGS},
    server::{PUZZLE, SOLUTION, Server, someone},
};
