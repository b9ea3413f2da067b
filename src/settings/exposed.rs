//! Checks the address on which a server is to listen. Other machines may reach it only if the server has an access file
//! and TLS, or with `--insecure`.

use std::net::SocketAddr;

use super::{Config, Settings};

/// Why a server may not listen on an address that other machines can reach.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Exposed {
    /// Without an access file, anyone who reaches the port may do anything.
    #[error(
        "listen: {0} is not a loopback address, and anyone who reaches it may do anything; name an access file with --access, \
         or set --insecure if the network is protected otherwise"
    )]
    Anonymous(SocketAddr),
    /// Without TLS, others can read tokens on the network.
    #[error(
        "listen: {0} is not a loopback address, and tokens would cross the network unencrypted; set --tls-cert and --tls-key, \
         or set --insecure if the network is protected otherwise"
    )]
    Plaintext(SocketAddr),
}

impl Config {
    /// Whether the server may listen on its address.
    ///
    /// # Errors
    /// [`Exposed`] with the flags that allow it.
    pub fn may_listen(&self) -> Result<(), Exposed> {
        let Settings { server, access, tls, .. } = &self.settings;
        let address = server.listen;
        if access.insecure || address.ip().to_canonical().is_loopback() {
            return Ok(());
        }
        match (&access.access, tls.is_on()) {
            (None, _) => Err(Exposed::Anonymous(address)),
            (Some(_), false) => Err(Exposed::Plaintext(address)),
            (Some(_), true) => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::AccessSettings;

    #[test]
    fn server_listens_beyond_this_machine_only_if_it_is_told_to() {
        let config = |listen: &str, access: bool, insecure| {
            let mut config = Config::default();
            config.settings.server.listen = listen.parse().unwrap();
            config.settings.access = AccessSettings { access: access.then(|| "access.toml".into()), insecure };
            config
        };
        for loopback in ["127.0.0.1:1", "127.9.9.9:1", "[::1]:1", "[::ffff:127.0.0.1]:1"] {
            for access in [false, true] {
                assert_eq!(config(loopback, access, false).may_listen(), Ok(()), "{loopback}");
            }
        }
        for other in ["0.0.0.0:1", "[::]:1", "192.0.2.1:1"] {
            let address = other.parse().unwrap();
            assert_eq!(config(other, false, false).may_listen(), Err(Exposed::Anonymous(address)));
            assert_eq!(config(other, true, false).may_listen(), Err(Exposed::Plaintext(address)));
            let encrypted = |access| {
                let mut config = config(other, access, false);
                config.settings.tls.tls_cert = Some("server.pem".into());
                config.may_listen()
            };
            assert_eq!((encrypted(false), encrypted(true)), (Err(Exposed::Anonymous(address)), Ok(())));
            assert_eq!(config(other, false, true).may_listen(), Ok(()));
            assert_eq!(config(other, true, true).may_listen(), Ok(()));
        }
    }
}
