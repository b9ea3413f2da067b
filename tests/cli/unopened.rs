//! Databases that can only be read, that a pooler guards, or that belong to another program on PostgreSQL: what is said, what still works,
//! and that nothing changes.

use std::{
    net::TcpListener,
    os::unix::{fs::PermissionsExt as _, process::CommandExt as _},
    process::Command,
    thread,
};

use rustix::process::geteuid;
use sqlx::{ConnectOptions as _, Executor as _};

use crate::{databases::postgres::Database, prelude::*};

/// The user that owns nothing.
const NOBODY: u32 = 65_534;

/// The binary, where every user may run it.
struct Everyones {
    folder: TempDir,
}

impl Everyones {
    fn new() -> Self {
        let folder = tempdir().unwrap();
        mode(folder.path(), 0o755);
        // By another process: a child that another test starts meanwhile would hold our open copy, and nobody could run it.
        let to = folder.path().join("puzzled");
        assert!(Command::new("cp").arg(env!("CARGO_BIN_EXE_puzzled")).arg(to).status().unwrap().success());
        Self { folder }
    }

    /// Runs a command in a folder, as a user who may not write what another one owns.
    fn run(&self, folder: &Path, command: &str) -> Ran {
        let mut nobody = Command::new(self.folder.path().join("puzzled"));
        nobody.args(command.split(' ')).env_clear().env("PUZZLED_DATABASE_URL", "sqlite:stock.db").current_dir(folder);
        if geteuid().is_root() {
            nobody.uid(NOBODY);
        }
        ran(nobody.output().unwrap())
    }
}

fn mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Cause: commands that only read ended with `(code: 1544) attempt to write a readonly database`.
#[tokio::test]
async fn file_and_folder_that_can_only_be_read_are_enough_to_read() {
    let (server, texts) = stocked().await;
    let folder = Arc::clone(&server.folder);
    server.end();
    let everyones = Everyones::new();
    mode(&folder.path().join("stock.db"), 0o444);
    mode(folder.path(), 0o555);
    let run = |command: &str| everyones.run(folder.path(), command);
    let exported = run("export");
    assert_eq!((exported.code, exported.out.lines().count()), (Some(0), texts.len()), "{}", exported.err);
    let backup = everyones.folder.path().join("backup.db");
    mode(everyones.folder.path(), 0o777);
    for command in ["check", "export --deliveries", &format!("backup {}", backup.display())] {
        let read = run(command);
        assert_eq!(read.code, Some(0), "{command}: {}", read.err);
    }
    let copy = "copy --from sqlite:stock.db --to postgres://puzzled@127.0.0.1:1/puzzled";
    let owner = "stock.db is not writable: it belongs to user ";
    for command in ["serve --listen 127.0.0.1:0", "work", "migrate", "rerate", copy] {
        let refused = run(command);
        assert!(refused.code == Some(1) && refused.err.contains(owner), "{command}: {}", refused.err);
    }
    let doctor = run("doctor");
    assert!(doctor.out.contains("ok       database: opened") && doctor.out.contains(owner), "{}", doctor.out);
    mode(folder.path(), 0o755);
    // The newest rows are in a log that this user cannot open.
    fs::write(folder.path().join("stock.db-wal"), [0; 100]).unwrap();
    mode(folder.path(), 0o555);
    let refused = run("export");
    assert!(refused.code == Some(1) && refused.err.contains("is not writable: it belongs to user "), "{}", refused.err);
    mode(folder.path(), 0o755);
}

/// Answers as `PgBouncer` does, which does not pass on the settings of a session.
fn pooler() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    thread::spawn(move || {
        for mut client in listener.incoming().map_while(Result::ok) {
            let fields = b"SFATAL\0C08P01\0Munsupported startup parameter: options\0\0";
            let len = u32::try_from(fields.len() + 4).unwrap().to_be_bytes();
            let _ = client.read(&mut [0; 1_000]);
            let _ = std::io::Write::write_all(&mut client, &[b"E", &len[..], fields].concat());
        }
    });
    format!("postgres://puzzled@{address}/puzzled?sslmode=disable")
}

#[test]
fn pooler_that_refuses_our_sessions_is_named_with_what_works() {
    let url = pooler();
    let words = "a connection pooler refuses our sessions (unsupported startup parameter: options); name the PostgreSQL server \
                 itself, or a pooler in session mode that ignores the startup parameter `options`";
    for command in ["serve --listen 127.0.0.1:0", "work", "migrate", "check", "export", "doctor"] {
        let refused = run(&format!("{command} --database {url}"));
        assert_eq!(refused.code, Some(1), "{command}");
        assert!([&*refused.out, &*refused.err].concat().contains(words), "{command}: {}{}", refused.out, refused.err);
    }
}

/// Cause: our tables were created between those of the other program, or `table jobs already exists`.
#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn database_of_another_program_on_postgres_is_left_as_it_is() {
    let database = Database::new();
    let mut db = database.settings().url.options().connect().await.unwrap();
    for others in ["jobs", "others", "_sqlx_migrations"] {
        let made = format!("drop schema public cascade; create schema public; create table {others} (version bigint)");
        db.execute(sqlx::AssertSqlSafe(made)).await.unwrap();
        for command in ["serve --listen 127.0.0.1:0", "work", "migrate", "check", "export", "doctor"] {
            let refused = run(&format!("{command} --database {}", database.url()));
            let said = [&*refused.out, &*refused.err].concat();
            let is_said = said.contains("the database of another program, which was left as it is");
            assert!(refused.code == Some(1) && is_said, "{command}: {said}");
        }
        let tables = "select string_agg(relname, ' ') from pg_class
                      where relnamespace = 'public'::regnamespace and relkind = 'r'";
        let left: String = sqlx::query_scalar(tables).fetch_one(&mut db).await.unwrap();
        assert_eq!(left, others);
    }
}
