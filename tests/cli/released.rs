//! The data of each release in `tests/released`, under this build: all of it is there, commands answer as they did then, and work
//! goes on. `.ci/release-data` wrote it.

use std::collections::BTreeSet;

use jiff::Timestamp;
use prost_reflect::{DescriptorPool, FieldDescriptor, Kind as FieldKind};
use puzzled_api::{DESCRIPTORS, v1 as pb};
use sqlx::{AssertSqlSafe, ConnectOptions as _, sqlite::SqliteConnectOptions};

use crate::{databases::postgres::Database, ops::ask_lines, prelude::*, running::Running, serve::connected};

/// Keeps everything, however old it is.
const KEEP: &str =
    "--retention-jobs-days 0 --retention-requests-days 0 --retention-deliveries-days 0 --retention-audit-days 0";

/// The folder of each release.
fn releases() -> Vec<PathBuf> {
    let all = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/released")).unwrap();
    let mut all: Vec<_> = all.map(|entry| entry.unwrap().path()).collect();
    all.sort();
    assert!(!all.is_empty());
    all
}

#[tokio::test]
async fn file_of_each_release_is_whole_and_work_on_it_goes_on() {
    for release in releases() {
        let folder = tempdir().unwrap();
        fs::copy(release.join("stock.db"), folder.path().join("stock.db")).unwrap();
        Old { release, folder, url: "sqlite:stock.db".to_owned() }.goes_on().await;
    }
}

#[tokio::test]
#[ignore = "needs PostgreSQL: the target `on_postgres` runs it"]
async fn dump_of_each_release_is_whole_and_work_on_it_goes_on() {
    for release in releases() {
        let database = Database::new();
        let mut db = database.settings().url.options().connect().await.unwrap();
        let dump = fs::read_to_string(release.join("stock.sql")).unwrap();
        // Tests get a migrated database.
        sqlx::raw_sql("drop schema public cascade; create schema public").execute(&mut db).await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(dump)).execute(&mut db).await.unwrap();
        db.close().await.unwrap();
        Old { release, folder: tempdir().unwrap(), url: database.url() }.goes_on().await;
    }
}

#[test]
fn api_of_each_release_is_part_of_this_one() {
    let now = DescriptorPool::decode(DESCRIPTORS).unwrap();
    for release in releases() {
        let then = DescriptorPool::decode(fs::read(release.join("api.binpb")).unwrap().as_slice()).unwrap();
        for message in then.all_messages() {
            let found = now.get_message_by_name(message.full_name()).unwrap_or_else(|| panic!("{message:?} is gone"));
            for field in message.fields() {
                let same = found.get_field(field.number()).map(|found| shape(&found));
                assert_eq!(same, Some(shape(&field)), "{}", field.full_name());
            }
        }
        for value in then.all_enums().flat_map(|all| all.values().collect::<Vec<_>>()) {
            let found = now.get_enum_by_name(value.parent_enum().full_name()).unwrap();
            assert_eq!(found.get_value(value.number()).unwrap().name(), value.name());
        }
        for method in then.services().flat_map(|service| service.methods().collect::<Vec<_>>()) {
            let service = now.get_service_by_name(method.parent_service().full_name()).unwrap();
            let found = service.methods().find(|found| found.name() == method.name()).unwrap();
            assert_eq!(found.input().full_name(), method.input().full_name(), "{}", method.full_name());
            assert_eq!(found.output().full_name(), method.output().full_name(), "{}", method.full_name());
        }
    }
}

/// The name of a field, how often it occurs, and its type.
fn shape(field: &FieldDescriptor) -> (String, String, String) {
    let kind = match field.kind() {
        FieldKind::Message(message) => message.full_name().to_owned(),
        FieldKind::Enum(values) => values.full_name().to_owned(),
        scalar => format!("{scalar:?}"),
    };
    (field.name().to_owned(), format!("{:?} {}", field.cardinality(), field.supports_presence()), kind)
}

/// A puzzle of a release.
struct Stored {
    id: i64,
    text: String,
    solution: String,
    technique: String,
    givens: u32,
    rating: u32,
    held: bool,
    withdrawn: bool,
}

/// The data of a release in a new place.
struct Old {
    release: PathBuf,
    folder: TempDir,
    url: String,
}

impl Old {
    async fn goes_on(&self) {
        assert_eq!(self.run("migrate").code, Some(0));
        self.is_sound();
        let server = self.server("--workers 0");
        let address = &server.address();
        let channel = connected(address).await;
        self.answers_as_before(address);
        self.has_all_puzzles(&channel).await;
        self.has_the_days(&channel).await;
        self.knows_requests_and_ratings(&channel).await;
        self.repeats_no_delivery(&channel).await;
        self.keeps_held_puzzles_for_their_holder(&channel).await;
        server.signal(Signal::TERM);
        assert_eq!(server.ended().0, Some(0));
        self.ends_the_open_job().await;
        self.is_sound();
    }

    /// A server on the data.
    fn server(&self, args: &str) -> Running {
        let args = format!("serve --listen 127.0.0.1:0 --database {} {KEEP} {args}", self.url);
        Running::spawn(puzzled(&args).current_dir(&self.folder))
    }

    fn run(&self, args: &str) -> Ran {
        ran(puzzled(args).env("PUZZLED_DATABASE_URL", &self.url).current_dir(&self.folder).output().unwrap())
    }

    fn is_sound(&self) {
        let checked = self.run("check");
        assert_eq!((checked.code, checked.out.as_str()), (Some(0), ""), "{}", checked.err);
    }

    /// The rows of a statement on the file of the release, which says what must be there.
    async fn rows<T>(&self, statement: &'static str) -> Vec<T>
    where
        T: for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> + Send + Unpin,
    {
        let file = SqliteConnectOptions::new().filename(self.release.join("stock.db")).read_only(true).immutable(true);
        let mut db = SqliteConnection::connect_with(&file).await.unwrap();
        sqlx::query_as(statement).fetch_all(&mut db).await.unwrap()
    }

    fn answers_as_before(&self, address: &str) {
        let transcript = fs::read_to_string(self.release.join("transcript.txt")).unwrap();
        for part in transcript.split("$ puzzled ").skip(1) {
            let (args, before) = part.split_once('\n').unwrap();
            let mut command = puzzled(args);
            command.env("PUZZLED_LISTEN", address).env("PUZZLED_DATABASE_URL", &self.url).current_dir(&self.folder);
            let now = ran(command.output().unwrap());
            assert_eq!(now.code, Some(0), "{args}: {}", now.err);
            if before.starts_with('{') {
                let [before, now] = [before, &now.out].map(values);
                assert_eq!(before.len(), now.len(), "{args}");
                before.iter().zip(&now).for_each(|(before, now)| contains(args, before, now));
            } else if args.contains("--format csv") {
                // Later columns stand behind those of an older release. This version has added none to its own.
                let is_older = !self.release.ends_with(env!("CARGO_PKG_VERSION"));
                assert_eq!(before.lines().count(), now.out.lines().count(), "{args}");
                for (before, now) in before.lines().zip(now.out.lines()) {
                    let is_kept = if is_older { now.starts_with(&format!("{before},")) } else { now == before };
                    assert!(is_kept, "{args}: {before}, {now}");
                }
            } else {
                assert_eq!(now.out, before, "{args}");
            }
        }
    }

    async fn has_all_puzzles(&self, channel: &Channel) {
        let rows = self
            .rows(
                "select puzzles.id, text, solution, puzzles.technique, puzzles.givens, rating, holder is not null as held,
                        withdrawn_at is not null as withdrawn
                 from puzzles join shelves on shelves.id = shelf_id",
            )
            .await;
        let stored = rows.into_iter().map(|(id, text, solution, technique, givens, rating, held, withdrawn)| Stored {
            id,
            text,
            solution,
            technique,
            givens,
            rating,
            held,
            withdrawn,
        });
        let stored: Vec<_> = stored.collect();
        assert!(stored.len() > 400);
        let mut client = PuzzleServiceClient::new(channel.clone());
        for stored in stored.chunks(100) {
            let wanted = |stored: &Stored| pb::GetPuzzleRequest {
                id: format!("puzzle-{}", stored.id),
                include_solution: true,
                include_record: true,
                ..Default::default()
            };
            let requests = stored.iter().map(wanted).collect();
            let results = client.batch_get_puzzles(pb::BatchGetPuzzlesRequest { requests }).await.unwrap().into_inner();
            for (stored, result) in stored.iter().zip(results.results) {
                let Some(pb::batch_get_puzzles_result::Result::Puzzle(puzzle)) = result.result else {
                    panic!("puzzle-{}: {:?}", stored.id, result.result)
                };
                let record = puzzle.record.unwrap();
                assert!(record.metrics.is_some() && !record.techniques.is_empty(), "{}", puzzle.id);
                assert_eq!((puzzle.text, puzzle.solution), (stored.text.clone(), stored.solution.clone()));
                assert_eq!(
                    (puzzle.technique, puzzle.givens),
                    (stored.technique.clone(), stored.givens),
                    "{}",
                    puzzle.id
                );
                assert_eq!(format!("{:.1}", puzzle.rating * 10.0), format!("{}.0", stored.rating), "{}", puzzle.id);
                assert_eq!(
                    (puzzle.held, puzzle.withdraw_time.is_some()),
                    (stored.held, stored.withdrawn),
                    "{}",
                    puzzle.id
                );
            }
        }
    }

    async fn has_the_days(&self, channel: &Channel) {
        let days: Vec<(String, String, i64)> =
            self.rows("select name, date, puzzle_id from days join series on series.id = series_id").await;
        assert!(!days.is_empty());
        for (series, date, id) in days {
            let request = pb::GetDailyPuzzleRequest { series, date, ..Default::default() };
            let day =
                PuzzleServiceClient::new(channel.clone()).get_daily_puzzle(request.clone()).await.unwrap().into_inner();
            assert_eq!(day.puzzle.unwrap().id, format!("puzzle-{id}"), "{request:?}");
        }
    }

    /// A repeated request queues nothing, and the ratings by a later rater are there.
    async fn knows_requests_and_ratings(&self, channel: &Channel) {
        let mut client = PuzzleServiceClient::new(channel.clone());
        let named: Vec<(String, i64)> =
            self.rows("select request_id, job_id from requests where request_id = 'stock-0'").await;
        for (request_id, job) in named {
            let request = GenerateRequest {
                kind: Kind::Sudoku.into(),
                level: Level::Easy.into(),
                count: Some(60),
                seed: Some(1),
                labels: [("for".to_owned(), "stock".to_owned())].into(),
                request_id,
                ..Default::default()
            };
            let repeated = client.generate(request).await.unwrap().into_inner().job.unwrap();
            assert_eq!(repeated.id, format!("job-{job}"));
        }
        let rated: Vec<(i64, i64)> = self.rows("select puzzle_id, count(*) from ratings group by puzzle_id").await;
        assert!(!rated.is_empty());
        for (id, count) in rated {
            let request =
                pb::GetPuzzleRequest { id: format!("puzzle-{id}"), include_ratings: true, ..Default::default() };
            let puzzle = client.get_puzzle(request).await.unwrap().into_inner().puzzle.unwrap();
            assert_eq!(i64::try_from(puzzle.ratings.len()).unwrap(), count, "{}", puzzle.id);
        }
    }

    /// Each audience gets puzzles that it has not had. The one near its end gets the rest, and then nothing.
    async fn repeats_no_delivery(&self, channel: &Channel) {
        let had: Vec<(String, Option<i64>)> = self
            .rows("select audiences.name, puzzle_id from deliveries join audiences on audiences.id = audience_id")
            .await;
        let audiences: BTreeSet<_> = had.iter().map(|(audience, _)| audience.clone()).collect();
        let mut had: BTreeSet<_> = had.into_iter().map(|(audience, id)| (audience, id.unwrap_or_default())).collect();
        let held: Vec<(i64,)> = self.rows("select id from puzzles where holder is not null").await;
        for audience in audiences.iter().cycle().take(5 * audiences.len()) {
            let request = pb::GetPuzzleRequest {
                kind: Kind::Sudoku.into(),
                audience: audience.clone(),
                ..pb::GetPuzzleRequest::default()
            };
            let id = drawn(channel, request).await.unwrap();
            assert!(!held.contains(&(id,)), "{audience} got puzzle-{id}, which another holds");
            assert!(had.insert((audience.clone(), id)), "{audience} got puzzle-{id} again");
        }
        let left: Vec<(i64,)> = self
            .rows(
                "select puzzles.id from puzzles join shelves on shelves.id = shelf_id
                 where kind = 'kakuro' and variant = '6x6' and rating between 40 and 59 and position is not null and withdrawn_at is null
                   and repeat_hash not in (select repeat_hash from deliveries join audiences on audiences.id = audience_id
                                           where audiences.name = 'club')
                 order by puzzles.id",
            )
            .await;
        let mut rest = Vec::new();
        let request = pb::GetPuzzleRequest {
            kind: Kind::Kakuro.into(),
            variant: "6x6".to_owned(),
            level: Level::Hard.into(),
            audience: "club".to_owned(),
            ..Default::default()
        };
        while let Some(id) = drawn(channel, request.clone()).await {
            rest.push((id,));
        }
        rest.sort_unstable();
        assert!(!left.is_empty() && left.len() < 5, "{left:?}");
        assert_eq!(rest, left);
        let delivered = values(&self.run("export --deliveries").out);
        let pairs: BTreeSet<_> =
            delivered.iter().map(|line| format!("{} {}", line["audience"], line["repeatHash"])).collect();
        assert_eq!(pairs.len(), delivered.len(), "a delivery is there twice");
    }

    async fn keeps_held_puzzles_for_their_holder(&self, channel: &Channel) {
        let held: Vec<(i64,)> = self
            .rows(
                "select id from puzzles where holder = (
                     select holder from puzzles join deliveries on puzzle_id = puzzles.id
                     where deliveries.name = 'request page-0')",
            )
            .await;
        for (audience, number) in [("nobody", 0), ("book-7", held.len() - 2)] {
            let request = pb::GetPuzzleRequest {
                kind: Kind::Sudoku.into(),
                audience: audience.to_owned(),
                exclusive: true,
                ..Default::default()
            };
            for _ in 0..number {
                let id = drawn(channel, request.clone()).await.unwrap();
                assert!(held.contains(&(id,)), "puzzle-{id}");
            }
            assert_eq!(drawn(channel, request).await, None, "{audience}");
        }
    }

    async fn ends_the_open_job(&self) {
        let server = self.server("--workers 2");
        let address = server.address();
        let open = &ask_lines(&address, "jobs --label paused=yes --json").await[0];
        let (id, made, wanted) = (open["id"].as_str().unwrap(), &open["made"], &open["wanted"]);
        assert!(made.as_u64() > Some(0) && made.as_u64() < wanted.as_u64(), "{open}");
        ended(&address, "queue resume", 0).await;
        ended(&address, &format!("watch {id}"), 0).await;
        let ended = &ask_lines(&address, "jobs --label paused=yes --json").await[0];
        assert_eq!((&ended["state"], &ended["made"]), (&Value::from("JOB_STATE_SUCCEEDED"), wanted));
        self.has_all_puzzles(&connected(&address).await).await;
        server.signal(Signal::TERM);
        assert_eq!(server.ended().0, Some(0));
    }
}

/// The number of the puzzle that a request gets; `None` if no puzzle is left.
async fn drawn(channel: &Channel, request: pb::GetPuzzleRequest) -> Option<i64> {
    match PuzzleServiceClient::new(channel.clone()).get_puzzle(request).await {
        Ok(puzzle) => Some(puzzle.into_inner().puzzle.unwrap().id.strip_prefix("puzzle-").unwrap().parse().unwrap()),
        Err(refused) => {
            assert_eq!(refused.code(), tonic::Code::FailedPrecondition, "{refused}");
            None
        }
    }
}

/// The JSON values of an output.
fn values(output: &str) -> Vec<Value> {
    serde_json::Deserializer::from_str(output).into_iter().map(Result::unwrap).collect()
}

/// Whether the time of the next day is as before. If that time is over, it must be the next one at this time of day, in UTC.
fn is_next_day(before: &Value, now: &Value) -> bool {
    const DAY: i64 = 24 * 60 * 60;
    let [before, now] = [before, now].map(|time| time.as_str().unwrap().parse::<Timestamp>().unwrap().as_second());
    let clock = Timestamp::now().as_second();
    let (since, until) = (now - before, now - clock);
    // The answer is at most a minute old.
    if before > clock { since == 0 } else { since % DAY == 0 && (-60..=DAY).contains(&until) }
}

/// Asserts that a value has all that an earlier one had. It may have further fields.
#[track_caller]
fn contains(place: &str, before: &Value, now: &Value) {
    match (before, now) {
        (Value::Object(before), Value::Object(now)) => {
            // The addresses of programs on the web are not part of what stays.
            for (key, before) in before.iter().filter(|(key, _)| *key != "links") {
                let now = now.get(key).unwrap_or_else(|| panic!("{place}: {key} is gone"));
                match key.as_str() {
                    "nextDayTime" => assert!(is_next_day(before, now), "{place}: {before} became {now}"),
                    _ => contains(&format!("{place}: {key}"), before, now),
                }
            }
        }
        (Value::Array(before), Value::Array(now)) => {
            assert_eq!(before.len(), now.len(), "{place}");
            before.iter().zip(now).for_each(|(before, now)| contains(place, before, now));
        }
        _ => assert_eq!(before, now, "{place}"),
    }
}
