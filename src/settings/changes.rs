//! Takes over new settings while a process runs. A setting needs a restart if its help contains the words `needs a restart`; the database
//! always does.

use std::{collections::HashSet, sync::LazyLock};

use clap::{Args as _, Command};

use super::{Settings, group::Group as _};

/// The keys of the settings that differ from those in force.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// The settings that were taken over, in the order of the file.
    pub taken: Vec<&'static str>,
    /// The settings that need a restart, in the order of the file.
    pub need_restart: Vec<&'static str>,
}

impl Settings {
    /// Takes over the new settings, except those that need a restart.
    pub fn take(&mut self, new: Self) -> Changes {
        let mut changes = Changes::default();
        let mut is_taken = |key| {
            let is_taken = !AT_START.contains(key);
            if is_taken { &mut changes.taken } else { &mut changes.need_restart }.push(key);
            is_taken
        };
        let Self {
            database,
            process,
            retention,
            server,
            access,
            tls,
            queue,
            stock,
            connections,
            limits,
            health_every: _,
        } = new;
        self.database.take(database, &mut is_taken);
        self.process.take(process, &mut is_taken);
        self.retention.take(retention, &mut is_taken);
        self.server.take(server, &mut is_taken);
        self.access.take(access, &mut is_taken);
        self.tls.take(tls, &mut is_taken);
        self.queue.take(queue, &mut is_taken);
        self.stock.take(stock, &mut is_taken);
        self.connections.take(connections, &mut is_taken);
        self.limits.take(limits, &mut is_taken);
        changes
    }
}

/// The keys of the settings that need a restart.
static AT_START: LazyLock<HashSet<String>> = LazyLock::new(|| {
    let command = Settings::augment_args(Command::new("settings"));
    let args = command.get_arguments().filter(|arg| {
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        // The help of the database does not say it, because commands that do not reload share it.
        help.contains("needs a restart") || arg.get_id() == "database"
    });
    args.map(|arg| arg.get_id().to_string()).collect()
});

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use clap::{Arg, FromArgMatches as _};

    use super::*;
    use crate::settings::without_environment;

    fn command() -> Command {
        without_environment(Settings::augment_args(Command::new("serve")))
    }

    fn settings(flags: &[String]) -> Settings {
        let matches = command().get_matches_from(std::iter::once(&"serve".to_owned()).chain(flags));
        Settings::from_arg_matches(&matches).unwrap()
    }

    /// The arguments that are settings.
    fn args(command: &Command) -> impl Iterator<Item = &Arg> {
        command.get_arguments().filter(|arg| arg.get_id() != "config")
    }

    /// A flag with another value than the default.
    fn changed(arg: &Arg) -> String {
        let key = arg.get_id().as_str();
        let value = match key {
            "listen" | "ops_listen" => "127.0.0.1:7",
            "database" => "sqlite:other.db",
            "config_name" => "other",
            "reflection" | "page" => "false",
            "cors_origins" => "https://example.org",
            "hosts" => "puzzles.example",
            "insecure" => "true",
            "log" => "warn",
            "log_format" => "json",
            "otlp_endpoint" => "http://127.0.0.1:7",
            "trace_ratio" => "0.5",
            "log_calls" => "all",
            "lease_ms" | "max_request_bytes" | "max_search_nodes" => "5000",
            "max_response_bytes" => "70000",
            "max_text_bytes" => "83",
            _ => "17",
        };
        format!("--{}={value}", key.replace('_', "-"))
    }

    /// The settings as the file has them.
    fn file(settings: &Settings) -> toml::Table {
        toml::Table::try_from(settings).unwrap()
    }

    /// The settings that need a restart. A change of their help must not change this.
    const AT_START: [&str; 24] = [
        "database",
        "database_password_file",
        "database_connections",
        "workers",
        "lease_ms",
        "log_format",
        "ops_listen",
        "otlp_endpoint",
        "trace_ratio",
        "listen",
        "config_name",
        "reflection",
        "cors_origins",
        "access",
        "insecure",
        "tls_cert",
        "tls_key",
        "tls_client_ca",
        "tls_crl",
        "connection_age_seconds",
        "keepalive_seconds",
        "keepalive_timeout_seconds",
        "max_streams",
        "compute_threads",
    ];

    #[test]
    fn each_field_of_the_settings_has_a_flag_that_changes_it_alone() {
        let (command, usual) = (command(), settings(&[]));
        assert_eq!(usual, Settings::default());
        let all = settings(&args(&command).map(changed).collect::<Vec<_>>());
        let keys: BTreeSet<_> = file(&all).into_iter().map(|(key, _)| key).collect();
        assert_eq!(keys, args(&command).map(|arg| arg.get_id().to_string()).collect());
        for arg in args(&command) {
            let (key, flag) = (arg.get_id().as_str(), changed(arg));
            let new = settings(std::slice::from_ref(&flag));
            let (mut old_file, mut new_file) = (file(&usual), file(&new));
            assert_ne!(old_file.remove(key), new_file.remove(key), "{flag}");
            assert_eq!(old_file, new_file, "{flag}");
            let Changes { taken, need_restart } = usual.clone().take(new);
            assert_eq!([taken, need_restart].concat(), [key], "{flag}");
        }
    }

    #[test]
    fn reload_takes_what_needs_no_restart_as_the_help_says() {
        let command = command();
        let (old, new) = (settings(&[]), settings(&args(&command).map(changed).collect::<Vec<_>>()));
        let mut running = old.clone();
        let Changes { taken, need_restart } = running.take(new.clone());
        assert_eq!(need_restart, AT_START);
        let [old, new, running] = [&old, &new, &running].map(file);
        for arg in args(&command) {
            let key = arg.get_id().as_str();
            let is_immutable = AT_START.contains(&key);
            assert_eq!(taken.contains(&key), !is_immutable, "{key}");
            assert_eq!(running.get(key), if is_immutable { old.get(key) } else { new.get(key) }, "{key}");
            // All commands share the help of the database.
            let says_so = key == "database" || arg.get_help().unwrap().to_string().contains("needs a restart");
            assert_eq!(says_so, is_immutable, "{key}");
        }
    }
}
