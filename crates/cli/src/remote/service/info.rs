//! `puzzled info`: shows the version of a running server, who calls it, the kinds that it makes, and its limits.

use clap::Args;

use crate::{
    CliError, Ended,
    client::{Server, ServerArgs},
    input::spec::{self, Kind},
    output::{
        self, json,
        tables::{self, Cells},
    },
};
use puzzled_api::{
    v1::{self as pb, server_service_client::ServerServiceClient},
    words,
};

/// Show a server's version, kinds, levels, and limits
///
/// The second line names the caller with its role and its right to solutions, as the access file has them.
/// GIVENS and SYMMETRY are the style of a level: what is made and delivered if a request leaves them open. With --kind, the
/// command shows the techniques of that kind too, and not the limits. Exit code: 0 shown, 1 refused or failed.
#[derive(Debug, Args)]
pub struct InfoArgs {
    #[command(flatten)]
    server: ServerArgs,

    /// Only this kind, with all its techniques [default: all kinds, without techniques]
    #[arg(long, value_name = "KIND", value_parser = spec::kind)]
    kind: Option<Kind>,

    /// Print one JSON object, a `GetServerInfoResponse`
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &InfoArgs) -> Result<Ended, CliError> {
    let info = args.server.ask(async |server: Server| {
        let mut client = ServerServiceClient::new(server.channel.clone());
        let answer = client.get_server_info(pb::GetServerInfoRequest {}).await;
        let mut info = answer.map_err(|status| server.refused(&status))?.into_inner();
        if let Some(kind) = args.kind {
            info.kinds.retain(|info| info.kind() == words::kind(kind.name()));
            if info.kinds.is_empty() {
                return Err(server.failed(format!("--kind: the server does not make {}", kind.name())));
            }
        }
        Ok(info)
    })?;
    if args.json {
        return output::print_result(&(json::message(info)? + "\n"));
    }
    let kinds: String = info.kinds.iter().map(|kind| kind_in_words(kind, args.kind.is_some())).collect();
    let limits = if args.kind.is_some() { String::new() } else { limits(&info)? };
    output::print_result(&(head(&info) + &kinds + &limits))
}

/// The versions, and who calls. Servers before 0.3 do not say who calls.
fn head(info: &pb::GetServerInfoResponse) -> String {
    let caller = info.caller.as_ref().map(|caller| {
        let right = if caller.solutions { "right" } else { "no right" };
        format!("caller {}, role {}, {right} to solutions\n", caller.name, tables::word(caller.role()))
    });
    let versions = format!("puzzled {}, engine version {}\n", info.version, info.engine_version);
    versions + &caller.unwrap_or_default()
}

/// A kind with its variants, and the techniques of each variant on request.
fn kind_in_words(info: &pb::KindInfo, with_techniques: bool) -> String {
    let (kind, meaning) = (tables::word(info.kind()), &info.variant_meaning);
    let variants = info.variants.iter().map(|variant| {
        let techniques = if with_techniques { format!("\n{}", techniques(variant)) } else { String::new() };
        variant_in_words(variant) + &techniques
    });
    let variants: String = variants.collect();
    format!("\n{kind}: {meaning}; by default, the variant {}\n{variants}", info.default_variant)
}

/// The properties of a variant, and the table of its levels.
fn variant_in_words(info: &pb::VariantInfo) -> String {
    let symmetries: Vec<_> = info.symmetries().map(tables::word).collect();
    let givens = info.givens.map(|givens| format!("givens: {} to {} are made\n", givens.min_made, givens.max_made));
    let made = if info.technique_criterion { ", which a request can name" } else { "" };
    let made_givens = |level: &pb::LevelInfo| {
        let style = level.style.filter(|style| style.max_givens_made > 0)?;
        Some(format!("{}–{}", style.min_givens_made, style.max_givens_made))
    };
    let symmetry = |level: &pb::LevelInfo| level.style.map(|style| tables::word(style.symmetry()));
    let levels = tables::list(
        &info.levels,
        &[
            ("LEVEL", Cells::Text, &|level| tables::word(level.level())),
            ("RATINGS", Cells::Text, &|level| range(level.min_rating, level.max_rating)),
            ("GIVENS", Cells::Text, &|level| made_givens(level).unwrap_or_default()),
            ("SYMMETRY", Cells::Text, &|level| symmetry(level).unwrap_or_default()),
            ("WHY", Cells::Wrapped, &|level| level.reason.clone()),
        ],
    );
    format!(
        "variant {}\nratings: by {} version {}, up to {:.1}; the hardest that is made is {:.1}\nsymmetries: {}\n{}techniques: \
         {}{made}\n\n{}",
        info.name,
        info.rater,
        info.rater_version,
        info.max_rating,
        info.max_generated_rating,
        symmetries.join(", "),
        givens.unwrap_or_default(),
        info.techniques.len(),
        levels
    )
}

/// The table of techniques, easiest first. If a request can name a technique, also says which of them are made.
fn techniques(info: &pb::VariantInfo) -> String {
    let mut columns = vec![("TECHNIQUE", Cells::Wrapped), ("RATINGS", Cells::Text)];
    columns.extend(info.technique_criterion.then_some(("MADE", Cells::Text)));
    let rows = info.techniques.iter().map(|technique| {
        let made = match (technique.generated, technique.rare) {
            (true, false) => "yes",
            (true, true) => "yes, rare",
            (false, _) => "no",
        };
        let mut row = vec![technique.name.clone(), range(technique.min_rating, technique.max_rating)];
        row.extend(info.technique_criterion.then(|| made.to_owned()));
        row
    });
    tables::table(&columns, rows)
}

/// The table of limits, under their names in the API.
fn limits(info: &pb::GetServerInfoResponse) -> Result<String, CliError> {
    let rows = json::fields(info.limits.unwrap_or_default())?.into_iter().map(|(name, value)| vec![name, value]);
    Ok(format!("\n{}", tables::table(&[("LIMIT", Cells::Text), ("VALUE", Cells::Numbers)], rows)))
}

/// A range of ratings: `2.6–4.0`, or one rating.
fn range(min: f64, max: f64) -> String {
    if min >= max { format!("{min:.1}") } else { format!("{min:.1}–{max:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caller_has_a_line_unless_the_server_is_older() {
        let mut info = pb::GetServerInfoResponse { version: "0.2.0".into(), engine_version: 17, ..Default::default() };
        assert_eq!(head(&info), "puzzled 0.2.0, engine version 17\n");
        info.caller = Some(pb::Caller { name: "site".into(), role: pb::Role::Maker.into(), solutions: false });
        assert_eq!(head(&info), "puzzled 0.2.0, engine version 17\ncaller site, role maker, no right to solutions\n");
    }
}
