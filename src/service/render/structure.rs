//! Converts the structure of a puzzle to messages of the API.

use super::solution::Board;
use crate::proto::v1 as pb;
use puzzled_engine::shared::text::{Region, RegionType, Size};

/// The API's messages for the regions of a board of this size.
pub(super) fn regions(size: Size, regions: Vec<Region>) -> Vec<pb::Region> {
    let board = Board::of(size.columns);
    let region = |region: Region| pb::Region {
        r#type: region_type(region.region_type).into(),
        cells: region.cells.into_iter().map(|cell| board.cell(cell, 0)).collect(),
        sum: region.sum,
        operator: region.operator.map(str::to_owned),
    };
    regions.into_iter().map(region).collect()
}

fn region_type(region_type: RegionType) -> pb::RegionType {
    match region_type {
        RegionType::Run => pb::RegionType::Run,
        RegionType::Cage => pb::RegionType::Cage,
        RegionType::Region => pb::RegionType::Region,
        RegionType::Edge => pb::RegionType::Edge,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_of_a_region_reaches_its_field() {
        let size = Size { rows: 2, columns: 4 };
        for (ours, wire) in [
            (RegionType::Run, pb::RegionType::Run),
            (RegionType::Cage, pb::RegionType::Cage),
            (RegionType::Region, pb::RegionType::Region),
            (RegionType::Edge, pb::RegionType::Edge),
        ] {
            let region = Region { region_type: ours, cells: vec![3, 4], sum: Some(7), operator: Some("-") };
            let wanted = pb::Region {
                r#type: wire.into(),
                cells: vec![pb::Cell { row: 1, column: 4, digit: 0 }, pb::Cell { row: 2, column: 1, digit: 0 }],
                sum: Some(7),
                operator: Some("-".to_owned()),
            };
            assert_eq!(regions(size, vec![region]), [wanted]);
        }
    }
}
