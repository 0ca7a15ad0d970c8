// The piece sets beside the classic one, as a style sheet: silhouettes of our own, and letters.
const shapes = {
  pawn: 'M22.5 8a6 6 0 0 1 3.9 10.6c3.4 1.8 5.1 5.4 5.3 9.9H13.3c.2-4.5 1.9-8.1 5.3-9.9A6 6 0 0 1 22.5 8zM11 31h23v6H11z',
  knight: 'M13 30.5c-.5-8 5-9.5 6-14.5l-6 4-4.5-1.5c1-5 5-9.5 10.5-11L19.5 4l4.5 3c8 1 12 8 11 23.5zM10 32.5h26V38H10z',
  bishop: 'M22.5 4a3.2 3.2 0 0 1 2.2 5.5c5 3.3 7.3 7.6 7.3 11.5 0 3.2-1.6 6-4 7.5H17c-2.4-1.5-4-4.3-4-7.5 0-3.9 2.3-8.2 7.3-11.5A3.2 3.2 0 0 1 22.5 4zM11 31h23v6.5H11z',
  rook: 'M11 8h5v4h4V8h5v4h4V8h5v9l-4 3.5V30H15v-9.5L11 17zM9 32h27v6H9z',
  queen: 'M6 12l8 9 2-13 6.5 11.5L29 8l2 13 8-9-4.5 18.5h-24zM10 32.5h25V38H10z',
  king: 'M20.5 3.5h4v3h3v4h-3v4c6-2 11.5 1 11.5 6.5 0 4-3 7.5-5 9.5h-17c-2-2-5-5.5-5-9.5 0-5.5 5.5-8.5 11.5-6.5v-4h-3v-4h3zM11 32.5h23V38H11z',
};
const letters = { pawn: 'P', knight: 'N', bishop: 'B', rook: 'R', queen: 'Q', king: 'K' };
const ink = { white: ['#ffffff', '#26211c'], black: ['#2e2924', '#f6f1e7'] }; // of the piece, and of its edge

const svg = inside => `<svg xmlns="http://www.w3.org/2000/svg" viewBox="2.5 1 40 40">${inside}</svg>`;
const url = text => `url("data:image/svg+xml,${encodeURIComponent(text).replaceAll('%20', ' ').replaceAll('%3D', '=').replaceAll('%2F', '/').replaceAll('%3A', ':').replaceAll('%22', "'")}")`;

function plain(role, [fill, edge]) {
  return svg(`<path d="${shapes[role]}" fill="${fill}" stroke="${edge}" stroke-width="1.7" stroke-linejoin="round"/>`);
}

function lettered(role, [fill, edge]) {
  const disc = `<circle cx="22.5" cy="22.5" r="17" fill="${fill}" stroke="${edge}" stroke-width="2"/>`;
  return svg(`${disc}<text x="22.5" y="31" font-family="system-ui,sans-serif" font-size="24" font-weight="700" text-anchor="middle" fill="${edge}">${letters[role]}</text>`);
}

export function pieceStyles() {
  const rules = [];
  for (const [set, draw] of Object.entries({ plain, letters: lettered })) {
    for (const role of Object.keys(shapes)) {
      for (const [colour, inks] of Object.entries(ink)) {
        rules.push(`:root[data-pieces='${set}'] .cg-wrap piece.${role}.${colour}{background-image:${url(draw(role, inks))}}`);
      }
    }
  }
  return `${rules.join('\n')}\n`;
}
