//! Writes roles, and principals with their roles and rights.

use puzzled_api::v1 as pb;
use puzzled_store::access::principal::{Principal, Role};

/// The principal of a call, as its caller sees it.
pub(crate) fn caller(principal: &Principal) -> pb::Caller {
    let Principal { name, role: has, sees_solutions, quotas: _ } = principal;
    pb::Caller { name: name.to_string(), role: role(*has).into(), solutions: *sees_solutions }
}

pub(crate) fn role(role: Role) -> pb::Role {
    match role {
        Role::Reader => pb::Role::Reader,
        Role::Maker => pb::Role::Maker,
        Role::Ops => pb::Role::Ops,
        Role::Admin => pb::Role::Admin,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_the_same_names_on_the_wire() {
        for one in Role::ALL {
            assert_eq!(role(one).as_str_name(), format!("ROLE_{}", one.name().to_ascii_uppercase()));
        }
    }
}
