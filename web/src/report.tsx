// The HTML report: the games that stand in the page as JSON, to look at without a server.
import { render } from 'preact';

import { Columns } from './columns';
import { Frame, KeysButton } from './frame';
import { GameTree } from './game';
import { Glance } from './glance';
import { GameHead, playersOf } from './head';
import { viewingKeys } from './keys';
import { Printed } from './printed';
import { Summary } from './summary';
import type { Review, Scheme } from './types';
import { scheme, view } from './viewing';

// With the lines that were played on the board of the game.
function show(game: Review | undefined): void {
  if (!game) return view(null);
  const tree = GameTree.of(game);
  for (const line of game.tried ?? []) tree.addLine(0, line);
  view(game, 0, tree);
}

const games = [...document.querySelectorAll('script.game')].map(each => JSON.parse(each.textContent ?? '') as Review);

function GameChoice() {
  return (
    <label class="game-choice">
      Game{' '}
      <select onChange={event => show(games[event.currentTarget.selectedIndex])}>
        {games.map((game, i) => (
          <option key={i} value={i}>
            {i + 1}. {playersOf(game)} {game.result}
          </option>
        ))}
      </select>
    </label>
  );
}

function Report() {
  return (
    <Frame keys={viewingKeys} board={true}>
      <header class="top">
        <span class="name">Postmortem</span>
        {games.length > 1 && <GameChoice />}
        <KeysButton />
      </header>
      <main class="review">
        <GameHead />
        <Columns>
          <section class="card figures" aria-label="First look and figures">
            <h2>First look</h2>
            <Glance />
            <h2>Figures</h2>
            <Summary />
          </section>
        </Columns>
        <Printed />
      </main>
    </Frame>
  );
}

const place = document.getElementById('report')!;
scheme.value = place.dataset['scheme'] as Scheme;
show(games[0]);
render(<Report />, place);
