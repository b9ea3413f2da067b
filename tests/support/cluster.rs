//! A temporary PostgreSQL server from the machine's own binaries, on a socket in a temporary folder.

use std::{
    env, fs,
    os::unix::{fs::chown, process::CommandExt as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use rustix::fs::statvfs;

use super::binaries::binaries;

/// The server listens on a socket only, and is small and the same on every machine.
const OPTIONS: &str = "-c listen_addresses='' -c max_connections=300 -c shared_buffers=64MB -c autovacuum_naptime=5s \
                       -c jit=off -c max_parallel_workers_per_gather=0 -c dynamic_shared_memory_type=mmap";

/// The data is not needed after the tests, so no commit waits for the disk.
const NOT_DURABLE: &str =
    "-c fsync=off -c synchronous_commit=off -c full_page_writes=off -c min_wal_size=64MB -c max_wal_size=256MB";

/// The free memory with which such a server keeps its data there, in bytes: several times what a test target uses.
const MEMORY_MIN: u64 = 2 << 30;

/// Ends the server and removes its folder when this process ends in any way, because the pipe closes then.
const WATCHDOG: &str = r#"read -r _; "$1/pg_ctl" stop -s -m immediate -D "$2/data"; rm -rf "$2""#;

/// A server that ends with this process.
#[derive(Debug)]
pub(crate) struct Cluster {
    binaries: PathBuf,
    folder: PathBuf,
    user: Option<User>,
    is_durable: bool,
    _watchdog: Child,
}

/// The user that the server runs as, because it refuses to run as root.
#[derive(Debug, Clone, Copy)]
struct User {
    uid: u32,
    gid: u32,
}

impl Cluster {
    /// Starts a server. With `is_durable`, its commits wait for the disk, as in production.
    pub(crate) fn start(is_durable: bool) -> Self {
        let binaries = binaries().expect("no PostgreSQL is installed (Debian: postgresql)");
        let user = rustix::process::geteuid().is_root().then(unprivileged);
        let folder = tempfile::Builder::new().prefix("puzzled-pg-").tempdir_in(parent(is_durable)).unwrap().keep();
        if let Some(User { uid, gid }) = user {
            chown(&folder, Some(uid), Some(gid)).unwrap();
        }
        let mut watchdog = Command::new("sh");
        watchdog.args(["-c", WATCHDOG, "sh"]).arg(&binaries).arg(&folder);
        // In a separate process group, so that Ctrl-C ends the tests and not the cleanup.
        watchdog.process_group(0).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null());
        let watchdog = as_user(&mut watchdog, user).spawn().unwrap();
        let cluster = Self { binaries, folder, user, is_durable, _watchdog: watchdog };
        let data = cluster.data();
        let data = data.to_str().unwrap();
        cluster.run("initdb", &["-D", data, "-U", "puzzled", "-A", "trust", "-N", "-E", "UTF8", "--locale=C"]);
        cluster.resume();
        cluster
    }

    /// The URL of one of its databases.
    pub(crate) fn url(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&user=puzzled", self.folder().display())
    }

    /// The folder with its socket, `.s.PGSQL.5432`, and its data.
    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    pub(super) fn resume(&self) {
        let (data, log) = (self.data(), self.folder.join("log"));
        let speed = if self.is_durable { "" } else { NOT_DURABLE };
        let options = format!("{OPTIONS} {speed} -k '{}'", self.folder.display());
        let [data, log] = [&data, &log].map(|path| path.to_str().unwrap());
        self.run("pg_ctl", &["start", "-s", "-w", "-t", "120", "-D", data, "-l", log, "-o", &options]);
    }

    pub(super) fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    pub(super) fn run(&self, program: &str, arguments: &[&str]) {
        let mut command = Command::new(self.binaries.join(program));
        command.args(arguments).stdin(Stdio::null());
        let Output { status, stdout, stderr } = as_user(&mut command, self.user).output().unwrap();
        let [stdout, stderr] = [stdout, stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
        let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
        assert!(status.success(), "{program} {arguments:?}: {status}\n{stdout}{stderr}{log}");
    }
}

/// Where a server has its folder. A new database is hundreds of new files, which some disks take a quarter of a second to
/// create. Containers often have only 64 MiB in memory.
fn parent(is_durable: bool) -> PathBuf {
    let memory = Path::new("/dev/shm");
    let has_room = statvfs(memory).is_ok_and(|memory| memory.f_bavail * memory.f_frsize >= MEMORY_MIN);
    if has_room && !is_durable { memory.to_owned() } else { env::temp_dir() }
}

/// The user `postgres`, which Debian's package creates, or else `nobody`.
fn unprivileged() -> User {
    let users = fs::read_to_string("/etc/passwd").unwrap();
    let user = |name: &str| {
        let line = users.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
        let mut fields = line.split(':').skip(1);
        Some(User { uid: fields.next()?.parse().ok()?, gid: fields.next()?.parse().ok()? })
    };
    user("postgres").or_else(|| user("nobody")).expect("a user that is not root")
}

fn as_user(command: &mut Command, user: Option<User>) -> &mut Command {
    if let Some(User { uid, gid }) = user {
        command.uid(uid).gid(gid);
    }
    // A folder that the user may enter.
    command.current_dir("/")
}
