//! Schemas of imaginary later binaries: this binary's migrations plus further ones, for either database.

use std::borrow::Cow;

use puzzled_store::{postgres, sqlite};
use sqlx::{
    SqlSafeStr as _,
    migrate::{Migration, MigrationType, Migrator},
};

/// A schema that older binaries can use: each of these tables has one more column, and there is one more table.
pub(crate) const COMPATIBLE: &str = "
    alter table targets add column note text;
    alter table jobs add column note text;
    alter table slices add column note text;
    alter table shelves add column note text;
    alter table puzzles add column note text;
    alter table ratings add column note text;
    alter table deliveries add column note text;
    alter table queue add column note text;
    alter table processes add column note text;
    create table notes (id bigint primary key, note text not null);
    insert into notes (id, note) values (1, 'made by a newer binary');
";

/// The migrations for SQLite files, followed by these.
pub(crate) fn on_sqlite(next: &[&'static str]) -> Migrator {
    and(&sqlite::schema::MIGRATIONS, next)
}

/// The migrations for PostgreSQL databases, followed by these.
pub(crate) fn on_postgres(next: &[&'static str]) -> Migrator {
    and(&postgres::schema::MIGRATIONS, next)
}

/// Numbers the further migrations consecutively, and names them by their numbers.
fn and(known: &Migrator, next: &[&'static str]) -> Migrator {
    let last = known.iter().last().unwrap().version;
    let next = (last + 1..).zip(next).map(|(version, sql)| {
        let (name, no_tx) = (Cow::Owned(format!("step {version}")), sql.starts_with("-- no-transaction"));
        Migration::new(version, name, MigrationType::Simple, sql.into_sql_str(), no_tx)
    });
    Migrator::with_migrations(known.iter().cloned().chain(next).collect())
}
