//! The product constraint, filtered by divisors and bounds. A value stays if it divides the total and the quotient lies
//! between the smallest and the largest product of the other variables. Values that occur in no solution of the
//! constraint may remain.

use super::{
    domain::Domain,
    model::Var,
    state::{State, Wiped},
};

/// Whether the product of the values is `total`.
pub(super) fn holds(values: &[u8], total: u32) -> bool {
    let product = if values.contains(&0) {
        Some(0)
    } else {
        values.iter().try_fold(1_u64, |product, &value| product.checked_mul(u64::from(value)))
    };
    product == Some(u64::from(total))
}

/// Removes values that cannot be factors of `total`.
pub(super) fn propagate(vars: &[Var], total: u32, state: &mut State) -> Result<(), Wiped> {
    if total == 0 {
        return zero(vars, state);
    }
    if vars.is_empty() && total != 1 {
        return Err(Wiped);
    }
    let total = u64::from(total);
    loop {
        let before = state.mark();
        for (at, &var) in vars.iter().enumerate() {
            let others = || vars.iter().enumerate().filter(|&(other, _)| other != at).map(|(_, &other)| other);
            // The product may saturate. It then compares as too large, which is right, because the total has 32 bits.
            let low = others().fold(1, |product: u64, other| product.saturating_mul(end(state.domain(other).min())));
            let high = others().fold(1, |product: u64, other| product.saturating_mul(end(state.domain(other).max())));
            let fits = |&value: &u8| {
                let value = u64::from(value);
                value > 0 && total.is_multiple_of(value) && (low..=high).contains(&(total / value))
            };
            state.keep(var, state.domain(var).values().filter(fits).collect())?;
        }
        if state.mark() == before {
            return Ok(());
        }
    }
}

fn end(value: Option<u8>) -> u64 {
    u64::from(value.unwrap_or(0))
}

/// Filters if the total is 0: one factor must be 0, so if only one variable can be 0, it is.
fn zero(vars: &[Var], state: &mut State) -> Result<(), Wiped> {
    let mut can_be_zero = vars.iter().copied().filter(|&var| state.domain(var).contains(0));
    let first = can_be_zero.next().ok_or(Wiped)?;
    if can_be_zero.all(|var| var == first) { state.keep(first, Domain::only(0)) } else { Ok(()) }
}

#[cfg(test)]
mod tests {
    use super::super::{
        Constraint,
        testing::{check_exact, check_sound},
    };

    #[test]
    fn keeps_every_supported_value() {
        for total in [1, 6, 7, 12, 24, 60, 210] {
            for count in 1..=4 {
                check_sound(count, 8, |vars| Constraint::Product { vars, total });
            }
        }
    }

    #[test]
    fn product_of_zero_requires_a_zero() {
        for count in 1..=4 {
            check_exact(count, 4, |vars| Constraint::Product { vars, total: 0 });
        }
    }

    #[test]
    fn holds_multiplies_without_overflow() {
        assert!(super::holds(&[2, 3, 4], 24));
        assert!(!super::holds(&[63; 40], 1));
        assert!(super::holds(&[63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 63, 0], 0));
    }
}
