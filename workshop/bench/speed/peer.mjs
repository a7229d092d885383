// Answers for upwords-solver, as npm installed it in the folder that is given: reads words and positions from standard
// input, and writes what it finds on each, how long it took, and what its toolkit says of every play.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const REPEATS = 3;
const installed = createRequire(`${process.argv[2]}/`);
const load = (name) => import(pathToFileURL(installed.resolve(name)));
const { UpwordsWordFinder } = await load("upwords-solver");
const { PlayDirection, TileRack, UpwordsBoard } = await load("upwords-toolkit");

const { words, positions } = JSON.parse(readFileSync(0, "utf8"));
UpwordsWordFinder.init(words);
const referee = new UpwordsBoard(words);

// Milliseconds of processor time.
function taken() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

// The tiles put on the board as [row, column, letter], and the points; null where the toolkit finds the play illegal.
function told({ tiles, start: [row, col], direction }, { isValid, points }) {
  const down = direction === PlayDirection.Vertical;
  const put = [...tiles].map((letter, at) => [row + (down ? at : 0), col + (down ? 0 : at), letter]);
  return { tiles: put.filter(([, , letter]) => letter !== " "), points: isValid ? points : null };
}

function solved({ board, rack }) {
  const tiles = new TileRack();
  for (const letter of rack) tiles.addTile(letter, 1);
  let [listed, judged, plays, verdicts] = [Infinity, Infinity, [], []];
  for (let repeat = 0; repeat < REPEATS; repeat++) {
    const began = taken();
    plays = UpwordsWordFinder.findAllPossiblePlays(board, tiles);
    listed = Math.min(listed, taken() - began);
    referee.ubfBoard = board;
    verdicts = plays.map((play) => referee.checkPlay(play));
    judged = Math.min(judged, taken() - began);
  }
  return { listed, judged, plays: plays.map((play, at) => told(play, verdicts[at])) };
}

const { version } = installed("upwords-solver/package.json");
console.log(JSON.stringify({ version, positions: positions.map(solved) }));
