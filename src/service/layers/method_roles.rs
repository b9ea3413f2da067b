//! Decides what a call needs: no identity, any identity, or the role that the proto files give to the method. Looks it
//! up by the path of the method.

use crate::rules::access::principal::Role;

include!(concat!(env!("OUT_DIR"), "/method_roles.rs"));

/// Health checks need no identity, because load balancers have none.
const HEALTH: &str = "/grpc.health.v1.Health/";

/// The prefix of the paths of both versions of reflection.
const REFLECTION: &str = "/grpc.reflection.";

/// What a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::service) enum Needs {
    /// Nothing: anyone may call.
    Nothing,
    /// Any identity.
    Identity,
    /// An identity with this role or a higher one.
    Role(Role),
}

/// What a call of the method with this path needs. A method that does not exist needs an identity too, so that
/// strangers learn nothing.
pub(in crate::service) fn needs(path: &str) -> Needs {
    if path.starts_with(HEALTH) {
        return Needs::Nothing;
    }
    if path.starts_with(REFLECTION) {
        return Needs::Role(Role::Reader);
    }
    match ROLES.binary_search_by(|(known, _)| known.cmp(&path)) {
        Ok(at) => Needs::Role(ROLES[at].1),
        Err(_) => Needs::Identity,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn needs_of_a_call_follow_from_its_path() {
        for (path, wanted) in [
            ("/grpc.health.v1.Health/Check", Needs::Nothing),
            ("/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo", Needs::Role(Role::Reader)),
            ("/puzzled.v1.PuzzleService/GetPuzzle", Needs::Role(Role::Reader)),
            ("/puzzled.v1.PuzzleService/Generate", Needs::Role(Role::Maker)),
            ("/puzzled.v1.JobService/PauseQueue", Needs::Role(Role::Ops)),
            ("/puzzled.v1.JobService/PauseQueu", Needs::Identity),
            ("", Needs::Identity),
        ] {
            assert_eq!(needs(path), wanted, "{path}");
        }
    }
}
