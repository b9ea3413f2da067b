//! Exports the puzzles of a running server. If the stream breaks, the next one continues after the last puzzle.

use tonic::Status;

use super::WantedArgs;
use puzzled_api::{
    criteria::StatesCriteria as _,
    v1::{self as pb, puzzle_service_client::PuzzleServiceClient},
};
use puzzled_cli::CliError;
use puzzled_cli::{
    client::{Connection, Server, ServerArgs, dial::Away},
    output::{Output, puzzle_file::FileArgs},
};

pub(super) fn export(server: &ServerArgs, wanted: &WantedArgs) -> Result<(), CliError> {
    let request = request(wanted)?;
    server.ask(async |server: Server| {
        let mut output = Output::new(None);
        wanted.file.begin(&mut output)?;
        let exported = export_all(&server, request, &wanted.file, &mut output).await;
        // The puzzles before an error are written too.
        output.end()?;
        exported
    })
}

fn request(wanted: &WantedArgs) -> Result<pb::ExportPuzzlesRequest, CliError> {
    let file = &wanted.file;
    let request = pb::ExportPuzzlesRequest {
        job_id: wanted.job.map(|job| job.to_string()).unwrap_or_default(),
        import_id: wanted.import_id.clone().unwrap_or_default(),
        include_solutions: file.solutions,
        include_ratings: file.is_full(),
        include_record: file.has_record(),
        include_links: file.is_full(),
        ..pb::ExportPuzzlesRequest::default()
    };
    Ok(request.stating(&wanted.filter.criteria()?))
}

/// Writes all puzzles. The number of broken streams in a row is limited.
async fn export_all(
    server: &Server,
    mut request: pb::ExportPuzzlesRequest,
    file: &FileArgs,
    output: &mut Output,
) -> Result<(), CliError> {
    let mut client = PuzzleServiceClient::new(server.channel.clone());
    let mut away = Away::default();
    while let Err(status) = export_some(&mut client, &mut request, &mut away, file, output).await? {
        away.wait(status).await.map_err(|status| server.refused(&status))?;
    }
    Ok(())
}

/// Writes the puzzles of one stream, and sets the place after the last one in the request. The inner error is that of the stream,
/// the outer one that of the output.
async fn export_some(
    client: &mut PuzzleServiceClient<Connection>,
    request: &mut pb::ExportPuzzlesRequest,
    away: &mut Away,
    file: &FileArgs,
    output: &mut Output,
) -> Result<Result<(), Status>, CliError> {
    let mut stream = match client.export_puzzles(request.clone()).await {
        Ok(answer) => answer.into_inner(),
        Err(status) => return Ok(Err(status)),
    };
    loop {
        let message = match stream.message().await {
            Ok(Some(message)) => message,
            Ok(None) => return Ok(Ok(())),
            Err(status) => return Ok(Err(status)),
        };
        away.is_back();
        for puzzle in message.puzzles {
            request.after_id.clone_from(&puzzle.id);
            file.write(puzzle, output)?;
        }
        output.flush()?;
    }
}
