//! The product constraint. The filter is exact unless the total is 0. For each place, it computes the divisors of the total that can be
//! the product of the variables from there on. A value stays if it leads from a product of the earlier variables to one that completes
//! the total.

use super::{Domain, State, Var, Wiped};

/// Whether the product of the values is `total`.
pub(super) fn holds(values: &[u8], total: u32) -> bool {
    let product = values.iter().try_fold(1_u64, |product, &value| product.checked_mul(value.into()));
    product == Some(total.into())
}

/// Removes unsupported values. If the total is 0, it only checks that a variable can be 0.
pub(super) fn propagate(vars: &[Var], total: u32, state: &mut State) -> Result<(), Wiped> {
    if total == 0 {
        return if vars.iter().any(|var| state.domain(*var).contains(0)) { Ok(()) } else { Err(Wiped) };
    }
    let mut completes = vec![vec![1]; vars.len() + 1];
    for (at, &var) in vars.iter().enumerate().rev() {
        completes[at] = products(&completes[at + 1], state.domain(var), total);
    }
    if !completes[0].contains(&total) {
        return Err(Wiped);
    }
    let mut reached = vec![1];
    for (&var, left) in vars.iter().zip(&completes[1..]) {
        let is_left = |product: &u32| left.contains(&(total / product));
        let leads_on = |value: &u8| products(&reached, Domain::only(*value), total).iter().any(is_left);
        let supported: Domain = state.domain(var).values().filter(leads_on).collect();
        state.keep(var, supported)?;
        reached = products(&reached, supported, total);
        reached.retain(is_left);
    }
    Ok(())
}

/// Multiplies each of these numbers by each value of the domain. Returns the products that divide the total.
fn products(of: &[u32], domain: Domain, total: u32) -> Vec<u32> {
    let factors = domain.values().filter(|value| *value > 0).map(u32::from);
    let all = factors.flat_map(|factor| of.iter().filter_map(move |product| product.checked_mul(factor)));
    let mut products: Vec<u32> = all.filter(|product| total.is_multiple_of(*product)).collect();
    products.sort_unstable();
    products.dedup();
    products
}
