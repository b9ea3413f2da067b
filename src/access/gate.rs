//! Identifies callers: finds the principal of an access token or of a client certificate in the current access file.
//! When the file is replaced, the usage of each principal is kept. Without a file, every caller is anonymous.

use std::{collections::HashMap, sync::Arc};

use tokio::sync::watch;

use super::{
    directory::{Directory, Token},
    quota_use::Usage,
    token::{self, TokenDigest},
};
use puzzled_base::{
    clock::{Clock, Millis},
    live::Live,
};
use puzzled_store::access::principal::Principal;

/// Identifies callers. Without an access file, every caller is the principal `anonymous`.
#[derive(Debug)]
pub struct Gate {
    clock: Arc<dyn Clock>,
    /// `None` without an access file.
    known: Option<Live<Known>>,
    changed: watch::Sender<()>,
    anonymous: Arc<Principal>,
}

#[derive(Debug, Default)]
struct Known {
    directory: Directory,
    usages: HashMap<Arc<str>, (Arc<Principal>, Arc<Usage>)>,
}

/// An identified caller: its principal, and how much of its quotas the principal has used.
#[derive(Debug, Clone)]
pub struct Caller {
    /// The principal that calls.
    pub principal: Arc<Principal>,
    /// How much of its quotas the principal has used; `None` for an anonymous caller.
    pub usage: Option<Arc<Usage>>,
    /// The proof of its identity.
    by: By,
}

#[derive(Debug, Clone)]
enum By {
    Nothing,
    Token { id: Box<str>, digest: TokenDigest },
    Certificate(Arc<str>),
}

/// Why a caller has no identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Unidentified {
    /// Neither a token nor a certificate.
    #[error("authorization: missing; send `Bearer` and a token, or connect with a certificate of a principal")]
    Nothing,
    /// More than one header.
    #[error("authorization: sent {0} times; send it once")]
    Several(usize),
    /// A header of another form.
    #[error(
        "authorization: not of the form `Bearer pzd_<id>_<secret>`; send a token as `puzzled token new` printed it"
    )]
    Malformed,
    /// No entry has this token.
    #[error("authorization: the token is unknown or was revoked; ask the operator for a new one")]
    UnknownToken,
    /// The expiry time of the token has passed.
    #[error("authorization: the token {0:?} has expired; ask the operator for a new one")]
    Expired(Box<str>),
    /// No principal has the name in the certificate.
    #[error("certificate: {0:?} is not the name of a principal; ask the operator to add it to the access file")]
    UnknownCertificate(Arc<str>),
}

impl Gate {
    /// A gate without an access file: every caller is anonymous.
    #[must_use]
    pub fn open(clock: Arc<dyn Clock>) -> Arc<Self> {
        Arc::new(Self::with(clock, None))
    }

    /// A gate that identifies callers by this access file.
    #[must_use]
    pub fn new(directory: Directory, clock: Arc<dyn Clock>) -> Arc<Self> {
        let gate = Self::with(clock, Some(Live::default()));
        gate.set(directory);
        Arc::new(gate)
    }

    fn with(clock: Arc<dyn Clock>, known: Option<Live<Known>>) -> Self {
        Self { clock, known, changed: watch::Sender::new(()), anonymous: Arc::new(Principal::anonymous()) }
    }

    /// Whether there is no access file. This never changes.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.known.is_none()
    }

    /// Replaces the access file for later calls. The usage of a principal is kept unless its quotas change. A gate
    /// without an access file does not change.
    pub fn set(&self, directory: Directory) {
        let Some(known) = &self.known else { return };
        let before = known.get();
        let usages = directory.principals().map(|principal| {
            let kept = before.usages.get(&principal.name).map(|(_, usage)| usage);
            let kept = kept.filter(|usage| usage.counts(principal.quotas)).map(Arc::clone);
            let usage = kept.unwrap_or_else(|| Arc::new(Usage::new(principal.quotas, &self.clock)));
            (Arc::clone(&principal.name), (Arc::clone(principal), usage))
        });
        let usages = usages.collect();
        known.set(Known { directory, usages });
        self.changed.send_replace(());
    }

    /// Identifies the caller by its `authorization` headers, or without them by the name in its connection's
    /// certificate.
    ///
    /// # Errors
    /// [`Unidentified`]; never if there is no access file.
    pub fn identify(&self, headers: &[&[u8]], certificate: Option<&Arc<str>>) -> Result<Caller, Unidentified> {
        let Some(known) = &self.known else { return Ok(self.anonymous()) };
        let by = match (headers, certificate) {
            ([], None) => return Err(Unidentified::Nothing),
            ([], Some(name)) => By::Certificate(Arc::clone(name)),
            ([header], _) => {
                let token = bearer(header).ok_or(Unidentified::Malformed)?;
                let id = token::id_of(token).ok_or(Unidentified::Malformed)?;
                By::Token { id: id.into(), digest: token::digest(token) }
            }
            (several, _) => return Err(Unidentified::Several(several.len())),
        };
        known.get().caller(by, self.clock.now())
    }

    /// Identifies the same caller by the current access file.
    ///
    /// # Errors
    /// [`Unidentified`] if its token or its principal was removed, or its token has expired.
    pub fn identify_again(&self, caller: &Caller) -> Result<Caller, Unidentified> {
        match (&self.known, &caller.by) {
            (None, _) | (_, By::Nothing) => Ok(self.anonymous()),
            (Some(known), by) => known.get().caller(by.clone(), self.clock.now()),
        }
    }

    /// Changes whenever the access file is replaced.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<()> {
        self.changed.subscribe()
    }

    fn anonymous(&self) -> Caller {
        Caller { principal: Arc::clone(&self.anonymous), usage: None, by: By::Nothing }
    }
}

impl Known {
    fn caller(&self, by: By, now: Millis) -> Result<Caller, Unidentified> {
        let (found, missing) = match &by {
            By::Nothing => (None, Unidentified::Nothing),
            By::Token { id, digest } => {
                let token = self.directory.tokens.get(&**id).filter(|token| token.is(digest));
                if token.is_some_and(|token: &Token| token.has_expired(now)) {
                    return Err(Unidentified::Expired(id.clone()));
                }
                (token.and_then(|token| self.usages.get(&token.principal)), Unidentified::UnknownToken)
            }
            By::Certificate(name) => (self.usages.get(name), Unidentified::UnknownCertificate(Arc::clone(name))),
        };
        let (principal, usage) = found.ok_or(missing)?;
        Ok(Caller { principal: Arc::clone(principal), usage: Some(Arc::clone(usage)), by })
    }
}

/// The token of an `authorization` header. The scheme is case-insensitive (RFC 9110).
fn bearer(header: &[u8]) -> Option<&str> {
    let (scheme, token) = std::str::from_utf8(header).ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then_some(token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_base::clock::ManualClock;

    const SECRET: [u8; 32] = [7; 32];

    fn directory(text: &str) -> Directory {
        Directory::parse(text).unwrap()
    }

    fn file(id: &str, more: &str) -> String {
        let digest = token::hex(&token::digest(&token::text(id, &SECRET)));
        format!(
            "[[principal]]\nname = 'a'\nrole = 'reader'\n[[principal]]\nname = 'b'\nrole = 'ops'\n
            [[token]]\nid = '{id}'\nsha256 = '{digest}'\nprincipal = 'a'\n{more}"
        )
    }

    #[test]
    fn caller_is_the_principal_of_its_token_else_of_its_certificate() {
        let clock = ManualClock::at(Millis(0));
        let gate = Gate::new(directory(&file("t", "expires_at = 1970-01-01T00:00:01Z")), Arc::clone(&clock) as _);
        let good = format!("Bearer {}", token::text("t", &SECRET));
        let other = format!("Bearer {}", token::text("t", &[8; 32]));
        let [of_b, of_c]: [Arc<str>; 2] = ["b", "c"].map(Into::into);
        let who = |headers: &[&str], certificate: Option<&Arc<str>>| {
            let headers: Vec<_> = headers.iter().map(|header| header.as_bytes()).collect();
            gate.identify(&headers, certificate).map(|caller| caller.principal.name.to_string())
        };
        assert_eq!(who(&[&good], None), Ok("a".to_owned()));
        assert_eq!(who(&[&good.replace("Bearer", "bearer")], Some(&of_b)), Ok("a".to_owned()));
        assert_eq!(who(&[], Some(&of_b)), Ok("b".to_owned()));
        assert_eq!(who(&[], Some(&of_c)), Err(Unidentified::UnknownCertificate(of_c.clone())));
        assert_eq!(who(&[], None), Err(Unidentified::Nothing));
        assert_eq!(who(&[&good, &good], Some(&of_b)), Err(Unidentified::Several(2)));
        for malformed in ["", "Bearer", "Basic eDp5", "Bearer pzd_t_1", "pzd_t_1"] {
            assert_eq!(who(&[malformed], Some(&of_b)), Err(Unidentified::Malformed), "{malformed}");
        }
        assert_eq!(who(&[&other], Some(&of_b)), Err(Unidentified::UnknownToken));
        let caller = gate.identify(&[good.as_bytes()], None).unwrap();
        clock.jump_ms(1_000);
        assert_eq!(who(&[&good], None), Err(Unidentified::Expired("t".into())));
        assert_eq!(gate.identify_again(&caller).unwrap_err(), Unidentified::Expired("t".into()));
        gate.set(directory(&file("u", "")));
        assert_eq!(gate.identify_again(&caller).unwrap_err(), Unidentified::UnknownToken);
    }

    #[test]
    fn usage_is_kept_when_the_file_changes_but_the_quotas_do_not() {
        let clock: Arc<dyn Clock> = ManualClock::at(Millis(0));
        let gate = Gate::new(directory(&file("t", "[role.reader]\ncalls_per_second = 1")), clock);
        let header = format!("Bearer {}", token::text("t", &SECRET));
        let call = || gate.identify(&[header.as_bytes()], None).unwrap().usage.unwrap().call().is_ok();
        assert_eq!([call(), call()], [true, false]);
        gate.set(directory(&file("t", "note = 'x'\n[role.reader]\ncalls_per_second = 1")));
        assert!(!call());
        gate.set(directory(&file("t", "[role.reader]\ncalls_per_second = 2")));
        assert_eq!([call(), call(), call()], [true, true, false]);
    }
}
