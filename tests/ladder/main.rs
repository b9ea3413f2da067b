//! The human ladder of Sudoku, against reference ratings, golden step lists, and boards of every sort.
#![cfg(test)]

mod golden;
mod properties;
mod reference;
