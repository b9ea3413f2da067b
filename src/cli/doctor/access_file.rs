//! Checks that a server can use the access file, and that no token expires soon.

use std::path::Path;

use super::{
    certificate::{DAY_MS, DAYS_MIN},
    finding::Finding,
};
use crate::{
    access::{Directory, Expiry},
    app::read_access_file,
    clock::{Millis, SystemClock},
};

const ACCESS: &str = "access";

/// Checks whether a server can use this file, and which token expires first.
pub(super) async fn of_file(file: Option<&Path>) -> Finding {
    let Some(file) = file else { return Finding::ok(ACCESS, "no access file; every caller may do everything") };
    match read_access_file(file).await {
        Ok(directory) => of_tokens(&directory, SystemClock::shared().now()),
        Err(error) => Finding::error(ACCESS, error.to_string()),
    }
}

fn of_tokens(directory: &Directory, now: Millis) -> Finding {
    let expiries = directory.expire_before(now.plus_ms(DAYS_MIN * DAY_MS));
    let Some(Expiry { expires_at, id, principal }) = expiries.first() else {
        let (principals, tokens) = directory.counts();
        return Finding::ok(ACCESS, format!("principals {principals}, tokens {tokens}"));
    };
    let left_ms = expires_at.ms_since(now);
    let when = if left_ms <= 0 { "has expired".to_owned() } else { format!("expires in {} days", left_ms / DAY_MS) };
    let others = match expiries.len() - 1 {
        0 => String::new(),
        others => format!(" (and {others} more within {DAYS_MIN} days)"),
    };
    let remedy = "make a new one with `puzzled token new`, and remove the old entry";
    Finding::warning(ACCESS, format!("the token {id:?} of {principal:?} {when}{others}; {remedy}"))
}
