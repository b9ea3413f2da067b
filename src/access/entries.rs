//! The TOML tables of an access file as they are written: principals, access tokens, and the default quotas of each
//! role.

use std::num::NonZeroU32;

use serde::Deserialize;
use toml::{Spanned, value::Datetime};

use puzzled_store::access::principal::{Quotas, Role};

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entries {
    #[serde(default)]
    pub(super) principal: Vec<PrincipalEntry>,
    #[serde(default)]
    pub(super) token: Vec<TokenEntry>,
    #[serde(default)]
    pub(super) role: RoleEntries,
}

/// A `[[principal]]`. Quotas that it leaves out are those of its role.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PrincipalEntry {
    pub(super) name: Spanned<String>,
    pub(super) role: RoleName,
    #[serde(default)]
    pub(super) solutions: bool,
    calls_per_second: Option<NonZeroU32>,
    compute_seconds_per_minute: Option<NonZeroU32>,
    open_jobs: Option<NonZeroU32>,
    open_puzzles: Option<NonZeroU32>,
}

/// A `[[token]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TokenEntry {
    pub(super) id: Spanned<String>,
    pub(super) sha256: Spanned<String>,
    pub(super) principal: Spanned<String>,
    pub(super) expires_at: Option<Spanned<Datetime>>,
    /// For people; the program ignores it.
    #[serde(default, rename = "note")]
    _note: String,
}

/// The `[role.NAME]` tables.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RoleEntries {
    #[serde(default)]
    reader: QuotaEntry,
    #[serde(default)]
    maker: QuotaEntry,
    #[serde(default)]
    ops: QuotaEntry,
    #[serde(default)]
    admin: QuotaEntry,
}

/// Default quotas.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuotaEntry {
    calls_per_second: Option<NonZeroU32>,
    compute_seconds_per_minute: Option<NonZeroU32>,
    open_jobs: Option<NonZeroU32>,
    open_puzzles: Option<NonZeroU32>,
}

/// A role as the file names it.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum RoleName {
    Reader,
    Maker,
    Ops,
    Admin,
}

impl RoleName {
    pub(super) fn role(self) -> Role {
        match self {
            Self::Reader => Role::Reader,
            Self::Maker => Role::Maker,
            Self::Ops => Role::Ops,
            Self::Admin => Role::Admin,
        }
    }
}

impl PrincipalEntry {
    /// The quotas of the principal. A quota that its entry omits is that of its role.
    pub(super) fn quotas(&self, roles: &RoleEntries) -> Quotas {
        let default = match self.role {
            RoleName::Reader => &roles.reader,
            RoleName::Maker => &roles.maker,
            RoleName::Ops => &roles.ops,
            RoleName::Admin => &roles.admin,
        };
        Quotas {
            calls_per_second: self.calls_per_second.or(default.calls_per_second),
            compute_seconds_per_minute: self.compute_seconds_per_minute.or(default.compute_seconds_per_minute),
            open_jobs: self.open_jobs.or(default.open_jobs),
            open_puzzles: self.open_puzzles.or(default.open_puzzles),
        }
    }
}
