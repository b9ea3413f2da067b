//! Converts shelves and the outlooks of stock targets to the response of `GetStock`, with the puzzles of each level.

use super::{kind, level_at, rating, symmetry, target};
use crate::{
    proto::v1 as pb,
    rules::{
        stock::{choose, puzzle::Shelf},
        targets::need::Outlook,
    },
};

/// The counts of shelves, which must be in the order of their keys, and the outlooks of targets.
pub(in crate::service) fn stock(shelves: Vec<Shelf>, outlooks: impl Iterator<Item = Outlook>) -> pb::GetStockResponse {
    let shelves: Vec<_> = shelves.into_iter().map(shelf).filter(|shelf| shelf.count > 0).collect();
    pb::GetStockResponse {
        total: shelves.iter().map(|shelf| shelf.count).sum(),
        levels: levels(&shelves),
        shelves,
        targets: outlooks.map(target::outlook).collect(),
    }
}

fn shelf(shelf: Shelf) -> pb::Shelf {
    let count = choose::live(&shelf);
    pb::Shelf {
        kind: kind(&shelf.key.kind).into(),
        symmetry: symmetry(shelf.key.symmetry).into(),
        level: level_at(&shelf.key, shelf.key.rating).into(),
        rating: rating(shelf.key.rating),
        variant: shelf.key.variant,
        technique: shelf.key.technique.unwrap_or_default(),
        clues: shelf.key.clues.map(u32::from),
        count,
    }
}

fn levels(shelves: &[pb::Shelf]) -> Vec<pb::LevelStock> {
    let mut counts = std::collections::BTreeMap::new();
    for shelf in shelves {
        *counts.entry((shelf.kind, &shelf.variant, shelf.level)).or_insert(0) += shelf.count;
    }
    counts
        .into_iter()
        .map(|((kind, variant, level), count)| pb::LevelStock { kind, variant: variant.clone(), level, count })
        .collect()
}
