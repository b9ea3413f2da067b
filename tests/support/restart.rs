//! A PostgreSQL server that a test can stop and start again.

use super::cluster::Cluster;

impl Cluster {
    /// Stops the server, which ends all connections, and starts it again on the same data.
    pub(crate) fn restart(&self) {
        self.run("pg_ctl", &["stop", "-s", "-w", "-m", "fast", "-D", self.data().to_str().unwrap()]);
        self.resume();
    }
}
