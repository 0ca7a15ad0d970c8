// Shows the games that stand in this page as JSON. No libraries, nothing fetched.
(() => {
  'use strict';
  const $ = id => document.getElementById(id);
  const games = [...document.querySelectorAll('script.game')].map(s => JSON.parse(s.textContent));
  const scheme = document.body.dataset.scheme;
  let game = games[0];
  let at = 0; // plies played
  let flipped = false;

  const looks = JSON.parse($('looks').textContent); // of every class: tone, which names the colour, and glyph
  const nameOf = v => ({ points: v.points.class, labels: v.labels.label, acpl: v.acpl.error, lichess: v.lichess.judgement })[scheme];
  const shown = ply => {
    if (!ply.verdicts) return { name: '', tone: 'plain', glyph: '', text: 'No verdict: ' + ply.no_verdict + '.' };
    const name = nameOf(ply.verdicts);
    const severity = scheme === 'labels' && name === 'Miss' && ply.verdicts.labels.severity === 'Blunder' ? 'Blunder' : name;
    const [tone, glyph] = looks[severity] || ['plain', ''];
    return { name: name || '', tone, glyph, text: ply.verdicts[scheme].reason.text, people: ply.human?.text };
  };
  const scoreText = s => {
    if (!s) return '?';
    if (s.mate !== undefined) return '#' + s.mate;
    return (s.cp > 0 ? '+' : '') + (s.cp / 100).toFixed(2);
  };
  const whiteChance = n => {
    const ply = game.plies[Math.max(0, n - 1)];
    const chance = n === 0 ? ply?.win_before : ply.win_after;
    if (chance === null || chance === undefined) return null;
    return ply.colour === 'white' ? chance : 1 - chance;
  };
  const numberOf = ply => ply.number + (ply.colour === 'white' ? '.' : '…');

  const svg = (name, attributes, ...children) => {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
  };
  const html = (name, attributes, ...children) => {
    const node = document.createElement(name);
    for (const key in attributes) node.setAttribute(key, attributes[key]);
    node.append(...children);
    return node;
  };

  // Simple men, drawn in a unit square.
  const men = {
    p: 'M.5 .22a.13 .13 0 0 1 .08 .23c.08 .07 .11 .17 .12 .28h.06v.1H.24v-.1h.06c.01-.11 .04-.21 .12-.28A.13 .13 0 0 1 .5 .22z',
    n: 'M.3 .83h.46v-.1H.72c.04-.2 .02-.38-.1-.48L.55 .14l-.05 .1C.36 .27 .27 .4 .22 .52l.07 .1 .13-.05 .06-.02c-.02 .08-.12 .14-.14 .22H.3z',
    b: 'M.5 .12a.05 .05 0 0 1 .04 .08c.1 .07 .17 .18 .14 .3-.02 .07-.06 .1-.08 .13l.03 .1h.11v.1H.26v-.1h.11l.03-.1C.38 .6 .34 .57 .32 .5c-.03-.12 .04-.23 .14-.3A.05 .05 0 0 1 .5 .12z',
    r: 'M.26 .18h.1v.07h.09V.18h.1v.07h.09V.18h.1v.17l-.08 .06 .03 .3h.07v.12H.24V.71h.07l.03-.3-.08-.06z',
    q: 'M.5 .12l.09 .24 .15-.16-.03 .22 .13-.06-.13 .3 .03 .07v.1H.26v-.1l.03-.07-.13-.3 .13 .06-.03-.22 .15 .16z',
    k: 'M.46 .1h.08v.07h.07v.08H.54v.08c.14-.06 .28 0 .27 .16-.01 .1-.09 .17-.13 .24l.02 .1H.3l.02-.1c-.04-.07-.12-.14-.13-.24-.01-.16 .13-.22 .27-.16V.25H.39V.17h.07z',
  };
  const square = name => {
    const file = name.charCodeAt(0) - 97;
    const rank = name.charCodeAt(1) - 49;
    return flipped ? [7 - file, rank] : [file, 7 - rank];
  };
  const inWords = { p: 'pawn', n: 'knight', b: 'bishop', r: 'rook', q: 'queen', k: 'king' };

  function drawBoard() {
    const fen = at === 0 ? game.start_fen : game.plies[at - 1].fen;
    const board = $('board');
    board.replaceChildren();
    for (let i = 0; i < 64; ++i) {
      const [x, y] = [i % 8, i >> 3];
      board.append(svg('rect', { x, y, width: 1, height: 1, class: (x + y) % 2 ? 'dark' : 'light' }));
    }
    if (at > 0) {
      for (const name of [game.plies[at - 1].uci.slice(0, 2), game.plies[at - 1].uci.slice(2, 4)]) {
        const [x, y] = square(name);
        board.append(svg('rect', { x, y, width: 1, height: 1, class: 'played' }));
      }
    }
    for (let i = 0; i < 8; ++i) {
      board.append(svg('text', { x: i + .82, y: 7.94, class: 'coords' }, String.fromCharCode(97 + (flipped ? 7 - i : i))));
      board.append(svg('text', { x: .04, y: i + .24, class: 'coords' }, String(flipped ? i + 1 : 8 - i)));
    }
    const listed = [];
    fen.split(' ')[0].split('/').forEach((row, r) => {
      let f = 0;
      for (const c of row) {
        if (c >= '1' && c <= '8') { f += +c; continue; }
        const name = String.fromCharCode(97 + f) + (8 - r);
        const [x, y] = square(name);
        const kind = c.toLowerCase();
        board.append(svg('path', { d: men[kind], class: c === kind ? 'bp' : 'wp', 'stroke-width': .025, 'stroke-linejoin': 'round', transform: `translate(${x} ${y})` }));
        listed.push(`${c === kind ? 'black' : 'white'} ${inWords[kind]} ${name}`);
        ++f;
      }
    });
    const next = game.plies[at - 1];
    if (next && next.best && next.best.uci !== next.uci) {
      const [x1, y1] = square(next.best.uci.slice(0, 2));
      const [x2, y2] = square(next.best.uci.slice(2, 4));
      const length = Math.hypot(x2 - x1, y2 - y1) || 1;
      const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
      const [ex, ey] = [x2 + .5 - dx * .15, y2 + .5 - dy * .15];
      board.append(svg('line', { x1: x1 + .5, y1: y1 + .5, x2: ex - dx * .25, y2: ey - dy * .25, class: 'best' }));
      board.append(svg('polygon', { points: `${ex},${ey} ${ex - dx * .34 - dy * .2},${ey - dy * .34 + dx * .2} ${ex - dx * .34 + dy * .2},${ey - dy * .34 - dx * .2}`, class: 'besthead' }));
    }
    board.setAttribute('aria-label', 'Board: ' + listed.join(', '));
  }

  function drawVerdict() {
    const box = $('verdict');
    box.replaceChildren();
    if (at === 0) {
      box.append(html('p', {}, game.plies.length ? 'The start. Step with the arrow keys, or choose a move.' : 'This game has no moves.'));
      return;
    }
    const ply = game.plies[at - 1];
    const v = shown(ply);
    box.append(html('p', {}, html('strong', {}, `${numberOf(ply)} ${ply.san}${v.glyph}`), ' ',
      html('span', { class: 'class ' + v.tone }, v.name), ` ${scoreText(ply.before[0])} → ${scoreText(ply.after[0])}`));
    box.append(html('p', {}, v.text));
    if (v.people) box.append(html('p', { class: 'people' }, v.people));
    if (ply.best && ply.best.uci !== ply.uci && ply.before[0]) {
      box.append(html('p', {}, `Engine: ${ply.before[0].san.slice(0, 8).join(' ')} (${scoreText(ply.before[0])})`));
    }
  }

  function drawGraph() {
    const graph = $('graph');
    graph.replaceChildren();
    const n = Math.max(1, game.plies.length);
    const points = [];
    let last = .5;
    for (let i = 0; i <= game.plies.length; ++i) {
      last = whiteChance(i) ?? last;
      points.push(`${(i / n) * 400},${(1 - last) * 100}`);
    }
    graph.append(svg('rect', { x: 0, y: 0, width: 400, height: 100, class: 'upper' }));
    graph.append(svg('polygon', { points: `0,100 ${points.join(' ')} 400,100`, class: 'lower' }));
    graph.append(svg('line', { x1: 0, y1: 50, x2: 400, y2: 50, class: 'half' }));
    game.plies.forEach((ply, i) => {
      const tone = shown(ply).tone;
      const chance = whiteChance(i + 1);
      if (!['great', 'dubious', 'bad', 'terrible'].includes(tone) || chance === null) return;
      graph.append(svg('ellipse', { cx: ((i + 1) / n) * 400, cy: (1 - chance) * 100, rx: 2.6, ry: 2.6, class: 'dot-' + tone }));
    });
    graph.append(svg('line', { id: 'now', x1: 0, y1: 0, x2: 0, y2: 100, class: 'now' }));
    graph.setAttribute('aria-label', `White's winning chances over ${game.plies.length} plies`);
  }

  function drawMoves() {
    const list = $('moves');
    list.replaceChildren();
    let row = null;
    game.plies.forEach((ply, i) => {
      if (!row || ply.colour === 'white') {
        row = html('li', {}, html('span', { class: 'n' }, String(ply.number)));
        if (ply.colour === 'black') row.append(html('span', {}, '…'));
        list.append(row);
      }
      const v = shown(ply);
      const button = html('button', { type: 'button', 'data-ply': i + 1 }, ply.san + v.glyph);
      if (v.name) button.append(' ', html('span', { class: v.tone }, v.name.toLowerCase()));
      row.append(button);
    });
    const printed = $('printed');
    printed.replaceChildren(...game.plies.map(ply => {
      const v = shown(ply);
      return html('li', {}, html('strong', {}, `${numberOf(ply)} ${ply.san}${v.glyph}`), ` ${v.name} ${v.text}`);
    }));
  }

  function drawSums() {
    const { white, black } = game.summary;
    const body = $('sums');
    body.replaceChildren();
    const row = (name, figure) => {
      const cell = s => html('td', {}, String(figure(s) ?? '–'));
      body.append(html('tr', {}, html('th', { scope: 'row' }, name), cell(white), cell(black)));
    };
    const tenths = figure => s => figure(s)?.toFixed(1);
    row('Accuracy', tenths(s => s.points.accuracy));
    row('Lichess accuracy', tenths(s => s.lichess.accuracy));
    row('Centipawn loss', s => s.acpl.acpl);
    if (scheme === 'points' || scheme === 'labels') {
      for (const name in white[scheme].counts) {
        if (white[scheme].counts[name] + black[scheme].counts[name]) row(name, s => s[scheme].counts[name]);
      }
    } else {
      for (const name of ['inaccuracies', 'mistakes', 'blunders']) row(name, s => s[scheme][name]);
    }
    for (const phase in white.phases) {
      if (white.phases[phase].moves + black.phases[phase].moves) row(`Accuracy, ${phase}`, tenths(s => s.phases[phase].points.accuracy));
    }
  }

  function drawHead() {
    const tag = name => game.tags[name] && /[^?.-]/.test(game.tags[name]) ? game.tags[name] : '';
    const player = colour => (tag(colour) || colour) + (tag(colour + 'Elo') ? ` (${tag(colour + 'Elo')})` : '');
    $('title').textContent = `${player('White')} – ${player('Black')}  ${game.result}`;
    document.title = `${player('White')} – ${player('Black')}: Postmortem`;
    const engine = game.engine.source === 'engine' ? `${game.engine.name}, ${game.engine.limit}` : 'scores from the file';
    const people = game.human ? `people by ${game.human.name}, ${game.human.white_rating} and ${game.human.black_rating}` : '';
    $('about').textContent = [tag('Event'), tag('Site'), tag('Date').replace(/\.\?.*/, ''), game.opening ? `${game.opening.eco} ${game.opening.name}` : '', engine, people].filter(Boolean).join(' · ');
  }

  function go(to, focus) {
    at = Math.max(0, Math.min(game.plies.length, to));
    drawBoard();
    drawVerdict();
    const x = (at / Math.max(1, game.plies.length)) * 400;
    for (const end of ['x1', 'x2']) $('now').setAttribute(end, x);
    for (const button of $('moves').querySelectorAll('button')) {
      const current = +button.dataset.ply === at;
      button.setAttribute('aria-current', current);
      if (current) {
        const list = $('moves');
        const offset = button.offsetTop - list.offsetTop;
        if (offset < list.scrollTop || offset > list.scrollTop + list.clientHeight - 40) list.scrollTop = offset - list.clientHeight / 2;
        if (focus) button.focus({ preventScroll: true });
      }
    }
    $('said').textContent = at === 0 ? 'Start' : `${numberOf(game.plies[at - 1])} ${game.plies[at - 1].san}. ${shown(game.plies[at - 1]).name}. ${shown(game.plies[at - 1]).text} ${shown(game.plies[at - 1]).people || ''}`;
  }

  function nextOf(glyph) {
    for (let k = 1; k <= game.plies.length; ++k) {
      const i = (at - 1 + k + game.plies.length) % game.plies.length;
      if (shown(game.plies[i]).glyph === glyph && i + 1 !== at) return i + 1;
    }
    return at;
  }

  const flip = () => { flipped = !flipped; drawBoard(); };
  const keys = {
    ArrowLeft: () => go(at - 1), k: () => go(at - 1), ArrowRight: () => go(at + 1), j: () => go(at + 1),
    Home: () => go(0), End: () => go(game.plies.length), f: flip,
    b: () => go(nextOf('??')), m: () => go(nextOf('?')), i: () => go(nextOf('?!')),
  };
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === 'SELECT') return;
    const action = keys[event.key];
    if (!action) return;
    action();
    event.preventDefault();
  });
  $('moves').addEventListener('click', event => {
    const button = event.target.closest('button');
    if (button) go(+button.dataset.ply);
  });
  $('graph').addEventListener('click', event => {
    const box = $('graph').getBoundingClientRect();
    go(Math.round(((event.clientX - box.left) / box.width) * game.plies.length));
  });
  for (const [id, action] of [['first', () => go(0)], ['back', () => go(at - 1)], ['next', () => go(at + 1)], ['last', () => go(game.plies.length)], ['flip', flip]]) {
    $(id).addEventListener('click', action);
  }

  function open(index) {
    game = games[index];
    drawHead();
    drawSums();
    drawGraph();
    drawMoves();
    go(0);
  }
  if (games.length > 1) {
    const choice = $('choice');
    games.forEach((g, i) => choice.append(html('option', { value: i }, `${i + 1}. ${g.tags.White || 'White'} – ${g.tags.Black || 'Black'} ${g.result}`)));
    choice.addEventListener('change', () => open(+choice.value));
    $('games').hidden = false;
  }
  open(0);
})();
