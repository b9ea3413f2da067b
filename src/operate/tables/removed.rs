//! Settings of 0.2 that this version lacks. They are read, and ignored with one warning. The next minor version refuses
//! them.

use clap::{Arg, ArgMatches, Command};

/// The key in the file, the flag, and the variable of each.
const REMOVED: [[&str; 3]; 2] = [
    ["backoff_ms", "backoff-ms", "PUZZLED_BACKOFF_MS"],
    ["health_interval_ms", "health-interval-ms", "PUZZLED_HEALTH_INTERVAL_MS"],
];

/// The command with these flags, which take any value.
pub(crate) fn accepted(command: Command) -> Command {
    let help = "Has no effect; the next minor version refuses it";
    command.next_help_heading("Without effect").args(
        REMOVED.map(|[key, flag, variable]| Arg::new(key).long(flag).env(variable).value_name("VALUE").help(help)),
    )
}

/// Whether the file may have this key, though it has no effect.
pub(crate) fn has_key(key: &str) -> bool {
    REMOVED.iter().any(|[removed, ..]| *removed == key)
}

/// The keys of the removed settings that a flag, a variable, or the file sets.
pub(crate) fn set_in(matches: &ArgMatches) -> Vec<&'static str> {
    let keys = REMOVED.map(|[key, ..]| key);
    keys.into_iter().filter(|key| matches!(matches.try_get_raw(key), Ok(Some(_)))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn flag_and_variable_of_a_removed_setting_follow_from_its_key() {
        for [key, flag, variable] in REMOVED {
            assert_eq!((flag, variable), (&*key.replace('_', "-"), &*format!("PUZZLED_{}", key.to_uppercase())));
        }
        let command = accepted(Command::new("serve"));
        assert_eq!(set_in(&command.get_matches_from(["serve", "--backoff-ms", "5"])), ["backoff_ms"]);
    }
}
