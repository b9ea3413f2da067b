// Called by .ci/formats: generates puzzles, gives each link and line to another program, and compares what comes back.
const { execFileSync } = require('child_process');
const pzpr = require('pzpr');
const { decodeSudoku, encodeSudoku, SudokuDataFormat } = require('sudoku-formats');

const COUNT = 1000;
const puzzled = process.argv[2];

const run = (args, input) =>
    execFileSync(puzzled, args, { input, encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['pipe', 'pipe', 'inherit'] });

const made = (kind, format) =>
    run(['generate', '--kind', kind, '--count', String(COUNT), '--seed', '7', '--format', format]).trim().split('\n');

// Fails unless every text is that of its puzzle.
const compare = (name, puzzles, found) => {
    if (puzzles.length !== COUNT || found.length !== COUNT) {
        throw new Error(`${name}: ${found.length} of ${puzzles.length} puzzles came back`);
    }
    puzzles.forEach((puzzle, at) => {
        if (puzzle !== found[at]) throw new Error(`${name}: puzzle ${at + 1} came back as\n${found[at]}\nand was\n${puzzle}`);
    });
    console.log(`${name}: ${COUNT} puzzles came back unchanged`);
};

// What this program reads from the texts of another.
const readBack = (kind, texts) =>
    run(['rate', '--kind', kind, '--format', 'json'], texts.join('\n\n')).trim().split('\n').map(line => JSON.parse(line).text);

// The text of a board in the files of pzpr. A block without clues is `0,0`, or `0` in the outer row and column.
const textOfFile = {
    sudoku: rows => rows.slice(3, 12).map(row => row.trim().split(' ').join('')).join(''),
    kakuro: rows => {
        const columns = Number(rows[3]) + 1;
        const token = (word, row) => {
            if (word === '.') return '.';
            let [across, down] = word.split(',');
            if (down === undefined) [across, down] = row === 0 ? ['0', word] : [word, '0'];
            const clue = sum => (sum === '0' ? '' : sum);
            const clues = `${clue(across)}\\${clue(down)}`;
            return clues === '\\' ? '#' : clues;
        };
        const cells = (row, at) => row.trim().split(' ').slice(0, columns).map((word, column) => token(word, at)).join(' ');
        return rows.slice(4, 4 + Number(rows[2]) + 1).map(cells).join('\n');
    },
};

const throughPzpr = kind => {
    const puzzles = made(kind, 'json').map(line => JSON.parse(line));
    const texts = puzzles.map(puzzle => puzzle.text);
    const boards = [];
    const addresses = [];
    for (const { links } of puzzles) {
        const board = new pzpr.Puzzle();
        board.open(links.find(link => link.name === 'puzz.link').url);
        boards.push(textOfFile[kind](board.getFileData().split('\n')));
        addresses.push(board.getURL());
    }
    compare(`puzz.link of ${kind}, as pzpr shows it`, texts, boards);
    compare(`puzz.link of ${kind}, as pzpr writes it`, texts, readBack(kind, addresses));
};

const throughSudokuFormats = async () => {
    const texts = made('sudoku', 'text');
    const shown = [];
    const addresses = [];
    for (const address of made('sudoku', 'fpuzzles')) {
        const { constraints, format } = await decodeSudoku(decodeURIComponent(address));
        const cells = constraints.grid.flat();
        shown.push(cells.map(cell => (cell.given ? cell.value : '.')).join(''));
        addresses.push(encodeSudoku({ constraints, format }).url);
    }
    compare('f-puzzles, as sudoku-formats shows it', texts, shown);
    compare('f-puzzles, as sudoku-formats writes it', texts, readBack('sudoku', addresses));
    const lines = [];
    for (const line of made('sudoku', 'sdm')) {
        const { constraints, format } = await decodeSudoku(line);
        if (format !== SudokuDataFormat.GridString) throw new Error(`${line}: read as ${format}`);
        lines.push(constraints.replaceAll('0', '.'));
    }
    compare('SDM, as sudoku-formats reads it', texts, lines);
};

(async () => {
    throughPzpr('sudoku');
    throughPzpr('kakuro');
    await throughSudokuFormats();
})().catch(error => {
    console.error(error.message);
    process.exit(1);
});
