//! Simulates an upgrade during work: the database gets a newer schema that this version can use. Running processes continue, and
//! processes that start later open the newer schema.

use std::time::Duration;

use puzzled_store::{
    fault_points::NoFaults,
    postgres::{migrating::Waits, schema as postgres},
    sqlite::schema as sqlite,
};

use crate::{
    chaos::Simulation,
    databases::{
        home::Home,
        next_schema::{COMPATIBLE, on_postgres, on_sqlite},
    },
};

impl Simulation {
    pub(crate) async fn upgrade(&mut self) {
        let migrated = match &self.home {
            Home::File(directory) => sqlite::migrate_to(&on_sqlite(&[COMPATIBLE]), &Home::sqlite(directory)).await,
            Home::Server(database) => {
                // An abandoned call may hold its locks for a moment.
                let waits = Waits { retry_pause: Duration::from_millis(1), ..Waits::default() };
                postgres::migrate_to(&on_postgres(&[COMPATIBLE]), &database.settings(), &waits, &NoFaults).await
            }
        };
        assert_eq!(migrated.unwrap().ran.len(), 1);
    }
}
