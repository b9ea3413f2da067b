//! [`Operator`]: how the digits of a cage make its number.

use crate::grid::cells::Digits;

/// How the digits of a cage make its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Operator {
    Add,
    /// The larger of two digits minus the smaller one.
    Subtract,
    Multiply,
    /// The larger of two digits divided by the smaller one.
    Divide,
}

impl Operator {
    pub(crate) const ALL: [Self; 4] = [Self::Add, Self::Subtract, Self::Multiply, Self::Divide];

    /// Its sign in texts and on the wire.
    pub(crate) const fn sign(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "-",
            Self::Multiply => "x",
            Self::Divide => "/",
        }
    }

    /// Its sign in pictures. The fonts of PDF files have a dash, but no minus.
    pub(crate) const fn shown(self) -> &'static str {
        match self {
            Self::Add => "+",
            Self::Subtract => "\u{2013}",
            Self::Multiply => "\u{d7}",
            Self::Divide => "\u{f7}",
        }
    }

    /// Whether it takes two digits, not more.
    pub(crate) const fn is_of_two(self) -> bool {
        matches!(self, Self::Subtract | Self::Divide)
    }

    /// What these digits make. `None` if they cannot be subtracted or divided.
    pub(crate) fn result(self, digits: &[u8]) -> Option<u32> {
        let ends = || match digits {
            &[one, other] => Some([one.max(other), one.min(other)].map(u32::from)),
            _ => None,
        };
        match self {
            Self::Add => Some(digits.iter().map(|digit| u32::from(*digit)).sum()),
            Self::Multiply => Some(digits.iter().map(|digit| u32::from(*digit)).product()),
            Self::Subtract => ends().map(|[larger, smaller]| larger - smaller),
            Self::Divide => {
                ends().filter(|[larger, smaller]| larger % smaller == 0).map(|[larger, smaller]| larger / smaller)
            }
        }
    }

    /// The digits, up to 16, that make a number together with one other digit.
    pub(crate) fn partners(self, digit: u8, number: i32) -> Digits {
        let makes =
            |other: &u8| self.result(&[digit, *other]).and_then(|result| i32::try_from(result).ok()) == Some(number);
        (1..=16).filter(makes).collect()
    }

    /// The number that the other cells of a cage have to make after one holds this digit. `None` if there is none. For sums and products.
    pub(crate) fn rest(self, number: i32, digit: u8) -> Option<i32> {
        let digit = i32::from(digit);
        match self {
            Self::Multiply => (number % digit == 0).then(|| number / digit),
            _ => Some(number - digit),
        }
    }
}
