//! Parses an access file into principals with their quotas, and access tokens. A file with a fault is refused as a
//! whole. Also lists the tokens that expire soon.

use std::{collections::HashMap, sync::Arc};

use subtle::ConstantTimeEq as _;

use super::{
    entries::{Entries, TokenEntry},
    token::{self, TokenDigest},
};
use puzzled_base::clock::Millis;
use puzzled_store::access::principal::{ANONYMOUS, Principal};

/// The maximum size of an access file, in bytes: some 20,000 tokens.
const TEXT_LEN_MAX: usize = 4 << 20;

/// The maximum number of characters in a principal's name. Names from certificates can be URIs.
const NAME_LEN_MAX: usize = 128;

/// Names of callers that are not in the access file.
const RESERVED: [&str; 2] = [ANONYMOUS, "configuration"];

/// The prefix of the actors of commands that open the database.
const COMMAND_PREFIX: &str = "cli:";

/// The contents of an access file.
#[derive(Debug, Default)]
pub struct Directory {
    principals: HashMap<Arc<str>, Arc<Principal>>,
    pub(super) tokens: HashMap<String, Token>,
}

/// The entry of a token.
#[derive(Debug)]
pub(super) struct Token {
    digest: TokenDigest,
    /// The name of its principal.
    pub(super) principal: Arc<str>,
    /// `None` if it does not expire.
    pub(super) expires_at: Option<Millis>,
}

/// A token that expires.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Expiry<'a> {
    /// When the token expires or expired.
    pub expires_at: Millis,
    /// Its ID.
    pub id: &'a str,
    /// The name of its principal.
    pub principal: &'a str,
}

impl Token {
    /// Whether the token has this digest. The comparison takes constant time.
    pub(super) fn is(&self, digest: &TokenDigest) -> bool {
        self.digest.ct_eq(digest).into()
    }

    /// Whether it has expired.
    pub(super) fn has_expired(&self, now: Millis) -> bool {
        self.expires_at.is_some_and(|at| now >= at)
    }
}

impl Directory {
    /// Reads the text of an access file.
    ///
    /// # Errors
    /// [`AccessFault`] with the line of the first fault.
    pub fn parse(text: &str) -> Result<Self, AccessFault> {
        if text.len() > TEXT_LEN_MAX {
            let reason = format!("the file has {} bytes; at most {TEXT_LEN_MAX} are allowed", text.len());
            return Err(AccessFault { line: 1, reason });
        }
        let entries: Entries = toml::from_str(text).map_err(|error| AccessFault::of_toml(text, &error))?;
        let mut directory = Self::default();
        for entry in &entries.principal {
            let name = entry.name.as_ref().as_str();
            let fault = |reason: String| AccessFault::at(text, entry.name.span().start, format!("name: {reason}"));
            check_name(name).map_err(fault)?;
            let principal = Principal {
                name: name.into(),
                role: entry.role.role(),
                sees_solutions: entry.solutions,
                quotas: entry.quotas(&entries.role),
            };
            if directory.principals.insert(name.into(), Arc::new(principal)).is_some() {
                return Err(fault(format!("{name:?} has two [[principal]] entries; keep one")));
            }
        }
        let mut digests = HashMap::new();
        for entry in &entries.token {
            let token = directory.token(text, entry)?;
            if let Some(other) = digests.insert(token.digest, entry.id.as_ref()) {
                let reason =
                    format!("sha256: the tokens {other:?} and {:?} have the same digest; keep one", entry.id.as_ref());
                return Err(AccessFault::at(text, entry.sha256.span().start, reason));
            }
            if directory.tokens.insert(entry.id.as_ref().clone(), token).is_some() {
                let reason = format!("id: {:?} has two [[token]] entries; keep one", entry.id.as_ref());
                return Err(AccessFault::at(text, entry.id.span().start, reason));
            }
        }
        Ok(directory)
    }

    fn token(&self, text: &str, entry: &TokenEntry) -> Result<Token, AccessFault> {
        let TokenEntry { id, sha256, principal, expires_at, .. } = entry;
        if !token::is_id(id.as_ref()) {
            let reason =
                format!("id: {:?} is not allowed; use 1 to 32 lower-case letters, digits, and `-`", id.as_ref());
            return Err(AccessFault::at(text, id.span().start, reason));
        }
        let digest = token::digest_of_hex(sha256.as_ref()).ok_or_else(|| {
            // The value may be the token itself, so the message does not repeat it.
            let reason =
                "sha256: not a digest; use 64 lower-case hexadecimal digits, as `puzzled token new` prints them";
            AccessFault::at(text, sha256.span().start, reason.to_owned())
        })?;
        let known = self.principals.get_key_value(principal.as_ref().as_str()).ok_or_else(|| {
            let reason = format!("principal: there is no [[principal]] named {:?}; add one", principal.as_ref());
            AccessFault::at(text, principal.span().start, reason)
        })?;
        let expires_at = expires_at.as_ref().map(|at| {
            at.as_ref().to_string().parse::<jiff::Timestamp>().map(|at| Millis(at.as_millisecond())).map_err(|_| {
                let reason = format!("expires_at: {} has no offset; use one such as 2027-01-31T00:00:00Z", at.as_ref());
                AccessFault::at(text, at.span().start, reason)
            })
        });
        Ok(Token { digest, principal: Arc::clone(known.0), expires_at: expires_at.transpose()? })
    }

    /// The tokens that expire before a time, the earliest first.
    #[must_use]
    pub fn expire_before(&self, end: Millis) -> Vec<Expiry<'_>> {
        let expiries = self.tokens.iter().filter_map(|(id, token)| {
            let expires_at = token.expires_at.filter(|&at| at < end)?;
            Some(Expiry { expires_at, id, principal: &token.principal })
        });
        let mut expiries: Vec<_> = expiries.collect();
        expiries.sort();
        expiries
    }

    /// The numbers of principals and tokens.
    #[must_use]
    pub fn counts(&self) -> (usize, usize) {
        (self.principals.len(), self.tokens.len())
    }

    pub(super) fn principals(&self) -> impl Iterator<Item = &Arc<Principal>> {
        self.principals.values()
    }
}

fn check_name(name: &str) -> Result<(), String> {
    if !(1..=NAME_LEN_MAX).contains(&name.len()) {
        return Err(format!("{} characters are outside 1 to {NAME_LEN_MAX}", name.len()));
    }
    if !name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return Err(format!("{name:?} is not allowed; use printable ASCII characters without spaces"));
    }
    if RESERVED.contains(&name) || name.starts_with(COMMAND_PREFIX) {
        return Err(format!("{name:?} is reserved; choose another name"));
    }
    Ok(())
}

/// What is wrong with an access file, and where.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {reason}")]
pub struct AccessFault {
    /// The line, from 1.
    pub line: usize,
    /// The field, what is wrong with its value, and what is allowed.
    pub reason: String,
}

impl AccessFault {
    /// A fault at a byte of the text.
    fn at(text: &str, byte: usize, reason: String) -> Self {
        let before = text.get(..byte).unwrap_or(text);
        Self { line: before.matches('\n').count() + 1, reason }
    }

    /// A text that is no TOML, or has a key or a type that is not allowed.
    fn of_toml(text: &str, error: &toml::de::Error) -> Self {
        let byte = error.span().map_or(0, |span| span.start);
        let Self { line, .. } = Self::at(text, byte, String::new());
        let key = text.lines().nth(line - 1).and_then(|line| line.split_once('=')).map_or("", |(key, _)| key.trim());
        let said = error.message().lines().next().unwrap_or_default();
        // An unknown key is named in the message itself.
        let reason = if key.is_empty() || said.starts_with("unknown field") {
            said.to_owned()
        } else {
            format!("{key}: {said}")
        };
        Self { line, reason }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use puzzled_store::access::principal::Role;

    const DIGEST: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn principals_have_their_own_quotas_or_those_of_their_role() {
        let text = "[[principal]]\nname = 'night'\nrole = 'maker'\ncalls_per_second = 5\n
            [[principal]]\nname = 'spiffe://x/y'\nrole = 'ops'\nsolutions = true\n
            [role.maker]\ncalls_per_second = 9\nopen_jobs = 3\n";
        let directory = Directory::parse(text).unwrap();
        let night = &directory.principals["night"];
        let quota = |quota: Option<std::num::NonZeroU32>| quota.map(std::num::NonZeroU32::get);
        assert_eq!((quota(night.quotas.calls_per_second), quota(night.quotas.open_jobs)), (Some(5), Some(3)));
        assert_eq!((night.role, night.sees_solutions, directory.counts()), (Role::Maker, false, (2, 0)));
        assert!(directory.principals["spiffe://x/y"].sees_solutions);
    }

    #[test]
    fn fault_names_its_line_what_is_wrong_and_what_is_allowed() {
        let one = "[[principal]]\nname = 'a'\nrole = 'reader'\n";
        let token = |more: &str| format!("{one}[[token]]\nid = 't'\nsha256 = '{DIGEST}'\nprincipal = 'a'\n{more}");
        for (text, line, words) in [
            ("[[principal]".to_owned(), 1, ""),
            ("[[principal]]\nname = 'a'\nrole = 'boss'\n".to_owned(), 3, "unknown variant `boss`"),
            ("[[principal]]\nname = 'a'\n".to_owned(), 1, "missing field `role`"),
            (format!("{one}rolle = 3\n"), 4, "unknown field `rolle`"),
            (format!("{one}open_jobs = 0\n"), 4, "open_jobs: "),
            (format!("{one}{one}"), 5, "two [[principal]] entries"),
            (one.replace("'a'", "'anonymous'"), 2, "reserved"),
            (one.replace("'a'", "'a b'"), 2, "printable ASCII"),
            (token("expires_at = 2027-01-31T00:00:00\n"), 8, "has no offset"),
            (
                token(&format!("[[token]]\nid = 't'\nsha256 = '{}'\nprincipal = 'a'\n", DIGEST.replace('b', "c"))),
                9,
                "two [[token]] entries",
            ),
            (
                token(&format!("[[token]]\nid = 'u'\nsha256 = '{DIGEST}'\nprincipal = 'a'\n")),
                10,
                "\"t\" and \"u\" have the same digest",
            ),
            (token("").replace("principal = 'a'", "principal = 'b'"), 7, "no [[principal]] named \"b\""),
            (token("").replace(DIGEST, "pzd_t_secret"), 6, "not a digest"),
            (token("").replace("'t'", "'T'"), 5, "lower-case letters"),
            ("[role.boss]\nopen_jobs = 1\n".to_owned(), 1, "unknown field `boss`"),
        ] {
            let fault = Directory::parse(&text).unwrap_err();
            assert!(fault.line == line && fault.reason.contains(words), "{text}\n{fault}");
            assert!(!fault.to_string().contains("pzd_t_secret"), "{fault}");
        }
    }
}
