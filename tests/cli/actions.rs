//! `puzzled get`, `solve`, `withdraw`, `cancel`, `retry`, `workers`, and `target` against a real server: effects,
//! drawings on a terminal, and refusals.

use rustix::{
    fs::{Mode, OFlags, open},
    pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt},
};

use crate::{
    ops::{ask_json, ask_lines},
    prelude::*,
};

pub(crate) const PUZZLE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
pub(crate) const SOLVED: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

#[tokio::test]
async fn get_prints_a_puzzle_that_solve_and_withdraw_take() {
    let (_server, channel, address) = start("--workers 1").await;
    queue(&channel, easy(1)).await;
    ended(&address, "watch job-1", 0).await;
    let text = ask(&address, "get --level easy").await;
    assert_eq!((text.code, text.out.len()), (Some(0), 82), "{}{}", text.out, text.err);
    let whole = ask_json(&address, "get puzzle-1 --solution --json").await;
    assert_eq!(whole["text"].as_str(), Some(text.out.trim_end()));
    assert_eq!(whole["links"][2]["name"], "puzz.link");
    let solved = ask(&address, &format!("solve {}", text.out.trim_end())).await;
    assert_eq!((solved.code, Some(solved.out.trim_end())), (Some(0), whole["solution"].as_str()), "{}", solved.err);

    let withdrawn = ended(&address, "withdraw puzzle-1 --reason misprint", 0).await;
    assert!(withdrawn.out.starts_with("puzzle-1 withdrawn at 2"), "{}", withdrawn.out);
    assert!(withdrawn.out.ends_with("Z: misprint\n"), "{}", withdrawn.out);
    // This was the only puzzle, so the call fails. The message depends on whether the shelf or the draw notices first.
    let none = ended(&address, "get --level easy", 1).await;
    assert!(none.err.starts_with(&format!("error: {address}: ")), "{}", none.err);
}

#[tokio::test]
async fn get_makes_a_puzzle_where_none_fits() {
    // Evil, because a worker can make an easy puzzle before the first answer.
    let (_server, _channel, address) = start("--workers 1").await;
    let made = ask(&address, "get --level evil --make --audience anna --request-id one").await;
    assert_eq!((made.code, made.out.len()), (Some(0), 82), "{}{}", made.out, made.err);
    let again = ask(&address, "get --level evil --make --audience anna --request-id one").await;
    assert_eq!(again.out, made.out);
    assert!(
        made.err.starts_with("no puzzle fits; job-1 makes 20 (sudoku 9x9 evil rotation180, 23–28 givens)"),
        "{}",
        made.err
    );
}

#[tokio::test]
async fn withdraw_by_criteria_counts_first_and_repeats_until_none_is_left() {
    let (_server, channel, address) = start("--workers 1").await;
    queue(&channel, easy(3)).await;
    ended(&address, "watch job-1", 0).await;
    for (args, expected) in [
        ("--job job-1 --dry-run", "puzzles: 3 would be withdrawn, 0 would be deleted\n"),
        ("--level easy --givens 17-20", "puzzles: 0 withdrawn, 0 deleted\n"),
        ("--job job-1 --forget", "puzzles: 0 withdrawn, 3 deleted\n"),
        ("--job job-1", "puzzles: 0 withdrawn, 0 deleted\n"),
    ] {
        assert_eq!(ended(&address, &format!("withdraw --reason odd {args}"), 0).await.out, expected, "{args}");
    }
    let none = ended(&address, "withdraw --reason odd", 1).await.err;
    assert!(none.contains("set the ID of a puzzle, or at least one criterion, such as --job"), "{none}");
}

#[tokio::test]
async fn solve_reads_standard_input_and_refuses_what_has_no_solution() {
    let (_server, _channel, address) = start("--workers 0").await;
    let mut child = puzzled(&format!("solve --address {address}"));
    let folder = tempdir().unwrap();
    let file = folder.path().join("puzzle.txt");
    let sudoku = puzzled_engine::registry::kind("sudoku").unwrap();
    for text in [PUZZLE.to_owned(), sudoku.draw("9x9", PUZZLE).unwrap()] {
        fs::write(&file, &text).unwrap();
        let output = child.stdin(fs::File::open(&file).unwrap()).output().unwrap();
        assert_eq!(String::from_utf8(output.stdout).unwrap().trim_end(), SOLVED, "{text}");
    }
    ended(&address, &format!("solve 55{}", &PUZZLE[2..]), 1).await;
}

#[tokio::test]
async fn cancelled_job_resumes_when_it_is_retried() {
    let (_server, channel, address) = start("--workers 0").await;
    queue(&channel, easy(5)).await;
    let cancelled = ask(&address, "cancel job-1").await;
    let line = "job-1 cancelled: made 0 of 5 in 0 tries\n";
    assert_eq!((cancelled.code, cancelled.out.as_str()), (Some(0), line), "{}", cancelled.err);
    assert_eq!(ask_json(&address, "retry job-1 --json").await["state"], "JOB_STATE_QUEUED");
}

#[tokio::test]
async fn workers_lists_the_processes_of_the_database() {
    let (_server, _channel, address) = start("--workers 3").await;
    let shown = ask(&address, "workers").await;
    let lines: Vec<_> = shown.out.lines().collect();
    assert_eq!((shown.code, lines.len()), (Some(0), 2), "{}{}", shown.out, shown.err);
    assert!(lines[0].contains(" WORKERS ") && lines[1].contains(" serve "), "{}", shown.out);
    let json = ask_json(&address, "workers --json").await;
    assert_eq!(json["workers"], 3);
}

#[tokio::test]
async fn target_apply_creates_and_updates_and_deletes_nothing() {
    let (_server, _channel, address) = start("--workers 0").await;
    let folder = tempdir().unwrap();
    let file = folder.path().join("targets.toml");
    let apply = format!("target apply {}", file.display());
    let both = "[[target]]\nlevel = 'easy'\ntarget = 2000\n[[target]]\nmax_rating = 1.5\ntarget = 9\nlow_water = 3\n";
    fs::write(&file, both).unwrap();
    let created = ask(&address, &apply).await;
    let lines = "target-1 created: 2,000 sudoku 9x9 easy rotation180, 32–38 givens\ntarget-2 created: 9 sudoku 9x9 1.0-1.5 rotation180, 28–40 givens\n";
    assert_eq!((created.code, created.out.as_str()), (Some(0), lines), "{}", created.err);
    fs::write(&file, "[[target]]\nmax_rating = 1.5\ntarget = 12\n").unwrap();
    let updated = ask(&address, &apply).await;
    assert_eq!(updated.out, "target-2 updated: 12 sudoku 9x9 1.0-1.5 rotation180, 28–40 givens\n", "{}", updated.err);
    let listed = ask_lines(&address, "target list --json").await;
    assert_eq!(
        (&listed[1]["target"], &listed[1]["lowWater"], &listed[1]["declaredBy"]),
        (&12.into(), &12.into(), &"".into())
    );
    let deleted = ask(&address, "target delete target-1").await;
    assert_eq!(deleted.out, "target-1 deleted: sudoku 9x9 easy rotation180, 32–38 givens\n", "{}", deleted.err);
    assert_eq!(ask(&address, "target list").await.out.lines().count(), 2);
    fs::write(&file, "[[target]]\nlevel = 'easy'\ntarget = 0\n").unwrap();
    let bad = ended(&address, &apply, 1).await;
    assert!(bad.err.contains(": line 3: target: 0 is outside "), "{}", bad.err);
}

/// What a command prints on a terminal.
pub(crate) fn on_terminal(args: &str) -> String {
    let terminal = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&terminal).unwrap();
    unlockpt(&terminal).unwrap();
    let other_end = ptsname(&terminal, Vec::new()).unwrap();
    let output = open(other_end.as_c_str(), OFlags::RDWR | OFlags::NOCTTY, Mode::empty()).unwrap();
    let mut command = puzzled(args);
    let mut child = command.stdout(output).stderr(Stdio::null()).spawn().unwrap();
    // `command` still holds a copy of the other end; unless it is closed, reading never ends.
    drop(command);
    let mut shown = Vec::new();
    // A terminal whose other end is closed gives an error after its last byte.
    let _ = fs::File::from(terminal).read_to_end(&mut shown);
    assert!(child.wait().unwrap().success());
    String::from_utf8(shown).unwrap()
}

/// The number of rows of a drawing.
fn rows(shown: &str) -> usize {
    shown.lines().filter(|line| line.contains('|')).count()
}

#[tokio::test]
async fn terminal_shows_the_grid_of_generate_get_and_solve() {
    let (_server, _channel, address) = start("--workers 1").await;
    let solve = format!("solve {PUZZLE} --address {address}");
    let get = format!("get --level easy --make --address {address}");
    for args in ["generate --seed 7", &solve, &get] {
        let shown = on_terminal(args);
        assert_eq!(rows(&shown), 9, "{args}: {shown}");
    }
    let words = on_terminal(&format!("get --level easy --address {address}"));
    assert!(words.lines().last().unwrap().contains(" sudoku 9x9 easy, rated 1."), "{words}");
    // JSON is the same everywhere.
    let json = on_terminal(&format!("get puzzle-1 --json --address {address}"));
    assert_eq!(json.trim_end(), ask(&address, "get puzzle-1 --json").await.out.trim_end());
}

#[tokio::test]
async fn refusal_of_each_command_says_what_is_allowed() {
    let (_server, channel, address) = start("--workers 1").await;
    let none = "no Sudoku 9x9 of level evil in stock, nor any other Sudoku; queue some with Generate (`puzzled enqueue`), or set \
                enqueue_if_short (`puzzled get --make`)";
    assert_eq!(ask(&address, "get --level evil").await.err, format!("error: {address}: {none}\n"));
    queue(&channel, easy(1)).await;
    ended(&address, "watch job-1", 0).await;
    let contradiction = format!("solve 55{}", &PUZZLE[2..]);
    for (args, expected) in [
        ("get puzzle-1 --level easy", "id: \"puzzle-1\" is set together with level; set only one"),
        (
            "get --variant 5x5",
            "--variant: unknown variant \"5x5\" of sudoku; use 9x9, 4x4, 6x6, 8x8, 9x9-x, 9x9-windoku, 10x10, 12x12, 16x16",
        ),
        (
            "get --kind star-battle --variant 8x8 --level hard",
            "no star battle 8x8 of level hard in stock, nor any other star battle; queue some with Generate (`puzzled \
             enqueue`), or set enqueue_if_short (`puzzled get --make`)",
        ),
        // Such puzzles cannot be made, so `--make` would be refused.
        (
            "get --kind killer --symmetry full",
            "no killer 9x9 with symmetry full in stock, nor any other killer; none can be made: symmetry: killer 9x9 has no \
             symmetry full; use none",
        ),
        (
            "get --kind killer --variant any --symmetry full",
            "no killer of any variant with symmetry full in stock, nor any other killer; none of the variant 9x9 can be made: \
             symmetry: killer 9x9 has no symmetry full; use none",
        ),
        (
            "get --kind killer --givens 20",
            "--givens: 20: numbers of givens are no criterion of the kind killer; leave it out",
        ),
        ("get puzzle-99", "there is no puzzle \"puzzle-99\"; `puzzled list` lists all"),
        ("solve 12", "text: 2 cells; the puzzle must have exactly 81"),
        (&contradiction, "text: the givens contradict each other: two 5s in row 1, two 5s in box 1"),
        ("withdraw puzzle-99 --reason x", "there is no puzzle \"puzzle-99\"; `puzzled list` lists all"),
        ("withdraw puzzle-1 --reason=", "--reason: 0 characters are outside 1 to 500"),
        ("cancel job-1", "job-1 is in the state succeeded; only a queued or running job can be cancelled"),
        (
            "retry job-1 --json",
            "job-1 is in the state succeeded; only a failed, cancelled, or ended job that is not pruned can be retried",
        ),
        ("cancel job-9", "there is no job \"job-9\"; `puzzled jobs` lists all"),
        ("retry job-9", "there is no job \"job-9\"; `puzzled jobs` lists all"),
        ("target delete target-9", "there is no stock target \"target-9\"; `puzzled target list` lists all"),
    ] {
        let refused = ask(&address, args).await;
        assert_eq!((refused.code, refused.out.as_str()), (Some(1), ""), "{args}");
        assert_eq!(refused.err, format!("error: {address}: {expected}\n"), "{args}");
    }
}

#[tokio::test]
async fn target_apply_finds_every_spec_again_and_changes_nothing_else() {
    let (_server, _channel, address) = start("--workers 0").await;
    let folder = tempdir().unwrap();
    let file = folder.path().join("targets.toml");
    let text =
        "[[target]]\nkind = 'kakuro'\nvariant = '20x20'\ntarget = 5\ncron = '0 1 * * *'\ntime_zone = 'Europe/Berlin'\n
        [[target]]\nmin_rating = 2.6\ntarget = 9\n
        [[target]]\ntechnique = 'x-wing'\nsymmetry = 'rotation180'\ntarget = 7\n
        [[target]]\nlevel = 'hard'\ngivens = '24-26'\ntarget = 8\nlow_water = 3\npriority = 7\n";
    fs::write(&file, text).unwrap();
    let list = async || {
        let mut listed = ask_lines(&address, "target list --json").await;
        for target in &mut listed {
            target.as_object_mut().unwrap().remove("updateTime");
        }
        listed
    };
    let apply = format!("target apply {}", file.display());
    assert_eq!(ask(&address, &apply).await.out.matches(" created: ").count(), 4);
    let before = list().await;
    let again = ask(&address, &apply).await;
    assert_eq!(again.out.matches(" updated: ").count(), 4, "{}{}", again.out, again.err);
    assert_eq!(list().await, before);
}

#[tokio::test]
async fn target_apply_refuses_repeated_and_declared_targets_by_number() {
    let folder = tempdir().unwrap();
    let [declared, file] = ["puzzled.toml", "targets.toml"].map(|name| folder.path().join(name));
    fs::write(&declared, "config_name = 'day'\n[[target]]\nlevel = 'hard'\ntarget = 5\n").unwrap();
    let (_server, _channel, address) = start(&format!("--workers 0 --config {}", declared.display())).await;
    let apply = format!("target apply {}", file.display());
    fs::write(&file, "[[target]]\nlevel = 'easy'\ntarget = 5\n[[target]]\nlevel = 'easy'\ntarget = 6\n").unwrap();
    let twice = ask(&address, &apply).await;
    let expected = format!(
        "error: configuration file {}: [[target]] 1 and [[target]] 2 are both for sudoku 9x9 easy symmetry rotation180 \
         32–38 givens; delete one of them\n",
        file.display()
    );
    assert_eq!((twice.code, twice.err), (Some(1), expected));
    assert_eq!(ask(&address, "target list --json").await.out.lines().count(), 1);
    fs::write(&file, "[[target]]\nlevel = 'easy'\ntarget = 5\n[[target]]\nlevel = 'hard'\ntarget = 6\n").unwrap();
    let refused = ask(&address, &apply).await;
    // The lines before the error tell what has changed.
    assert_eq!(
        (refused.code, refused.out.as_str()),
        (Some(1), "target-2 created: 5 sudoku 9x9 easy rotation180, 32–38 givens\n")
    );
    assert!(refused.err.starts_with(&format!("error: {address}: [[target]] 2: ")), "{}", refused.err);
    assert!(refused.err.contains("target-1") && refused.err.contains("day"), "{}", refused.err);
}
