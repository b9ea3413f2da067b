//! Schemas of newer binaries: used if they allow it, otherwise refused with both versions.

use puzzled_store::{
    copy::{Copied, CopyError, copy},
    postgres, sqlite,
};

use crate::{
    backend::{Backend, Postgres, Sqlite, open},
    databases::{
        incompatible_schema::{INCOMPATIBLE, known, refused as refusal},
        next_schema::{COMPATIBLE, on_postgres, on_sqlite},
    },
    migrating::names_of,
    prelude::*,
};

/// Queues jobs and makes puzzles, before and after the schema changes under an open store.
async fn served_through(on: &dyn Backend, change: impl Future<Output = ()>) {
    let store = open(on).await.unwrap();
    queue(&*store, job(3)).await;
    make(&*store, &[1]).await;
    change.await;
    make(&*store, &[2]).await;
    let slice = claimed(&*store, 1).await;
    committed(&*store, &slice, &[3]).await;
    assert_eq!(job_of(&*store, JobId(1)).await.made, 3);
    // A process that starts on the new schema works too.
    let next = open(on).await.unwrap();
    queue(&*next, job(1)).await;
    make(&*next, &[4]).await;
    assert_eq!(job_of(&*next, JobId(2)).await.made, 1);
}

pub(crate) async fn newer_file_is_used_only_if_its_schema_allows_it() {
    let file = Sqlite::new();
    let settings = file.settings();
    let to = on_sqlite(&[COMPATIBLE]);
    served_through(&file, async {
        let migrated = sqlite::schema::migrate_to(&to, &settings).await.unwrap();
        assert_eq!(migrated.ran, names_of(1));
    })
    .await;
    let again = sqlite::schema::migrate(&settings).await.unwrap();
    assert_eq!(
        (again.ran.len(), again.newer.map(|newer| (newer.version, newer.known))),
        (0, Some((known() + 1, known())))
    );
    let store = SqliteStore::open_to_read(&settings, ManualClock::at(START)).await.unwrap();
    assert_eq!(job_of(&store, JobId(1)).await.made, 3);

    let file = Sqlite::new();
    let settings = file.settings();
    sqlite::schema::migrate_to(&on_sqlite(&[INCOMPATIBLE]), &settings).await.unwrap();
    let refused = format!("{}{}", settings.path.display(), refusal());
    let of_reading = SqliteStore::open_to_read(&settings, ManualClock::at(START)).await.unwrap_err();
    for error in [open(&file).await.unwrap_err(), of_reading] {
        assert_eq!((error.to_string(), error.is_passing()), (refused.clone(), false));
    }
}

pub(crate) async fn newer_database_is_used_only_if_its_schema_allows_it() {
    let database = Postgres::new();
    let settings = database.database.settings();
    let to = on_postgres(&[COMPATIBLE]);
    served_through(&database, async {
        let waits = postgres::migrating::Waits::default();
        let migrated = postgres::schema::migrate_to(&to, &settings, &waits, &NoFaults).await.unwrap();
        assert_eq!(migrated.ran, names_of(1));
    })
    .await;
    let again = postgres::schema::migrate(&settings).await.unwrap();
    assert_eq!(
        (again.ran.len(), again.newer.map(|newer| (newer.version, newer.known))),
        (0, Some((known() + 1, known())))
    );
    let store = PostgresStore::open_to_read(settings).await.unwrap();
    assert_eq!(job_of(&store, JobId(1)).await.made, 3);

    let database = Postgres::new();
    let settings = database.database.settings();
    let waits = postgres::migrating::Waits::default();
    postgres::schema::migrate_to(&on_postgres(&[INCOMPATIBLE]), &settings, &waits, &NoFaults).await.unwrap();
    let refused = format!("{}{}", settings.url, refusal());
    let of_reading = PostgresStore::open_to_read(settings).await.unwrap_err();
    for error in [open(&database).await.unwrap_err(), of_reading] {
        assert_eq!((error.to_string(), error.is_passing()), (refused.clone(), false));
    }
}

pub(crate) async fn copy_of_a_newer_schema_is_refused() {
    let (old, newer, too_new) = (Sqlite::new(), Sqlite::new(), Sqlite::new());
    open(&old).await.unwrap().close().await;
    sqlite::schema::migrate_to(&on_sqlite(&[COMPATIBLE]), &newer.settings()).await.unwrap();
    sqlite::schema::migrate_to(&on_sqlite(&[INCOMPATIBLE]), &too_new.settings()).await.unwrap();
    let (server, newer_server) = (Postgres::new(), Postgres::new());
    let waits = postgres::migrating::Waits::default();
    let to = newer_server.database.settings();
    postgres::schema::migrate_to(&on_postgres(&[COMPATIBLE]), &to, &waits, &NoFaults).await.unwrap();
    for (from, to) in [(&newer, &server), (&old, &newer_server)] {
        let refused = copied(from, to).await.unwrap_err();
        assert!(
            matches!(refused, CopyError::Newer { version, known: of, .. } if (version, of) == (known() + 1, known())),
            "{refused}"
        );
    }
    let refused = copied(&too_new, &server).await.unwrap_err();
    assert_eq!(refused.to_string(), format!("{}{}", too_new.settings().path.display(), refusal()));
    // The refused copies have changed neither the files nor the target.
    queue(&*open(&newer).await.unwrap(), job(1)).await;
    copied(&old, &server).await.unwrap();
}

async fn copied(from: &Sqlite, to: &Postgres) -> Result<Copied, CopyError> {
    Box::pin(copy(&from.settings(), &to.database.settings(), ManualClock::at(START), &NoFaults)).await
}
