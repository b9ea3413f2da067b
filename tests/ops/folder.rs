//! Where a test keeps its database and other files: a folder with `stock.db`, or one beside a database on PostgreSQL.

use std::path::Path;

use sqlx::{AssertSqlSafe, ConnectOptions as _, Executor as _, sqlite::SqliteConnectOptions};
use tempfile::TempDir;

use crate::databases::postgres::Database;

pub(crate) struct Folder {
    directory: TempDir,
    /// `None` if its database is the file `stock.db`.
    on_server: Option<Database>,
}

impl Folder {
    pub(crate) fn new(on_server: Option<Database>) -> Self {
        Self { directory: TempDir::new_in("/dev/shm").or_else(|_| TempDir::new()).unwrap(), on_server }
    }

    pub(crate) fn path(&self) -> &Path {
        self.directory.path()
    }

    pub(crate) fn is_on_server(&self) -> bool {
        self.on_server.is_some()
    }

    /// The value of `--database` for a process in the folder.
    pub(crate) fn database(&self) -> String {
        self.on_server.as_ref().map_or_else(|| "sqlite:stock.db".to_owned(), Database::url)
    }

    /// Runs a statement on the database, whatever its processes do.
    pub(crate) async fn execute(&self, statement: &str) {
        let statement = AssertSqlSafe(statement.to_owned());
        if let Some(database) = &self.on_server {
            database.settings().url.options().connect().await.unwrap().execute(statement).await.unwrap();
        } else {
            let file = SqliteConnectOptions::new().filename(self.path().join("stock.db"));
            file.connect().await.unwrap().execute(statement).await.unwrap();
        }
    }
}
