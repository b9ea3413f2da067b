//! Defines groups of settings. In a group, a field is a setting: its name is the key of the configuration file, from which the flag and the
//! variable follow; its doc comment is the help; its attributes have the default and the allowed values.

use clap::{Args, Command, builder::Resettable};

/// A group of settings.
pub(super) trait Group {
    /// Takes over each value of `new` that differs, if `is_taken` says so for its key.
    fn take(&mut self, new: Self, is_taken: &mut impl FnMut(&'static str) -> bool);
}

macro_rules! settings {
    ($(#[$of_group:meta])* pub struct $Group:ident { $($(#[$of_setting:meta])* pub $key:ident: $type:ty,)* }) => {
        $(#[$of_group])*
        #[derive(Debug, Clone, PartialEq, clap::Args, serde::Serialize)]
        pub struct $Group {
            $(
                // The variable gets its prefix with those of all commands; see `cli::adjusted`.
                #[arg(long, env)]
                $(#[$of_setting])*
                pub $key: $type,
            )*
        }

        impl Default for $Group {
            fn default() -> Self {
                crate::settings::group::defaults()
            }
        }

        impl crate::settings::group::Group for $Group {
            fn take(&mut self, new: Self, is_taken: &mut impl FnMut(&'static str) -> bool) {
                $(
                    if PartialEq::ne(&self.$key, &new.$key) && is_taken(stringify!($key)) {
                        self.$key = new.$key;
                    }
                )*
            }
        }
    };
}

pub(super) use settings;

/// The values of settings that nobody sets.
pub(super) fn defaults<T: Args>() -> T {
    let command = without_environment(T::augment_args(Command::new("defaults").no_binary_name(true)));
    let matches = command.try_get_matches_from([""; 0]);
    matches.and_then(|matches| T::from_arg_matches(&matches)).expect("each setting has a default")
}

/// The command, which reads no variables.
pub(crate) fn without_environment(command: Command) -> Command {
    command.mut_args(|arg| arg.env(Resettable::Reset))
}
