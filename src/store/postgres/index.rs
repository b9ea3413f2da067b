//! Checks the one statement that a migration without a transaction may contain: it must build one index concurrently.

/// The allowed beginnings of the statement.
const BEGINNINGS: [&str; 2] =
    ["create index concurrently if not exists ", "create unique index concurrently if not exists "];

/// Returns the index that a migration marked `-- no-transaction` builds.
///
/// # Errors
/// A sentence if the migration is not exactly one `create index concurrently if not exists`. With two statements, an
/// interrupted migration could not be resumed safely.
pub(super) fn index_of(sql: &str) -> Result<String, String> {
    let code = sql.lines().map(|line| line.split("--").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let code = code.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase();
    let statement = code.strip_suffix(';').unwrap_or(&code);
    let name = BEGINNINGS.iter().find_map(|beginning| statement.strip_prefix(beginning)?.split(' ').next());
    match name {
        Some(name) if !statement.contains(';') && is_plain(name) => Ok(name.to_owned()),
        _ => Err(format!(
            "a migration without a transaction holds one `create index concurrently if not exists NAME`, not: {code}"
        )),
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_one_concurrent_index_is_allowed() {
        let on = "jobs_of_night on jobs (night) where night is not null";
        for (sql, index) in [
            (format!("-- no-transaction\ncreate index concurrently if not exists {on};\n"), "jobs_of_night"),
            (
                format!("-- no-transaction\n-- Why.\nCREATE UNIQUE INDEX CONCURRENTLY\n  IF NOT EXISTS {on} -- so"),
                "jobs_of_night",
            ),
        ] {
            assert_eq!(index_of(&sql).as_deref(), Ok(index), "{sql}");
        }
        for sql in [
            String::new(),
            format!("create index {on}"),
            format!("create index concurrently {on}"),
            format!("create index if not exists {on}"),
            format!("create index concurrently if not exists {on}; update schema set oldest_compatible = 2"),
            "create index concurrently if not exists \"a;b\" on jobs (id)".to_owned(),
        ] {
            assert!(index_of(&sql).is_err(), "{sql}");
        }
    }
}
