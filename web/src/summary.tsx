// Both players' figures, for the whole game or a phase of it.
import { signal } from '@preact/signals';

import { colours, iconOf, schemes, styleOf, word } from './looks';
import type { Scheme, Sums } from './types';
import { nextOfClass, review, scheme } from './viewing';

const phase = signal('');

type Row = [string, (sums: Sums) => string, string?]; // a name, a figure, the class it counts
const shown = (value: number | null, digits = 0, interval?: [number, number]) => {
  if (value === null) return '–';
  const reach = interval ? Math.max(value - interval[0], interval[1] - value) : 0; // one end may be 0 or 100
  return value.toFixed(digits) + (interval ? ` ± ${reach.toFixed(digits)}` : '');
};

function rowsOf(wanted: Scheme, both: Sums[]): Row[] {
  const errors = (which: 'acpl' | 'lichess'): Row[] => [
    ['Inaccuracies', s => String(s[which].inaccuracies), 'inaccuracy'],
    ['Mistakes', s => String(s[which].mistakes), 'mistake'],
    ['Blunders', s => String(s[which].blunders), 'blunder'],
  ];
  const counts = (which: 'points' | 'labels'): Row[] =>
    Object.keys(both[0]![which].counts)
      .filter(name => both.some(s => (s[which].counts[name] ?? 0) > 0))
      .map(name => [word(name), s => String(s[which].counts[name] ?? 0), name]);
  switch (wanted) {
    case 'points':
      return [['Accuracy', s => shown(s.points.accuracy, 1, s.points.accuracy_interval)], ['Lichess accuracy', s => shown(s.lichess.accuracy, 1)], ['Centipawn loss', s => shown(s.acpl.acpl, 0, s.acpl.interval)], ...counts('points')];
    case 'labels':
      return counts('labels');
    case 'acpl':
      return [['Centipawn loss', s => shown(s.acpl.acpl, 0, s.acpl.interval)], ...errors('acpl')];
    case 'lichess':
      return [['Accuracy', s => shown(s.lichess.accuracy, 1)], ['Centipawn loss', s => shown(s.lichess.acpl)], ...errors('lichess')];
  }
}

export function Summary() {
  const data = review.value;
  if (!data) return null;
  const of = (colour: 'white' | 'black'): Sums =>
    phase.value ? (data.summary[colour].phases[phase.value] ?? data.summary[colour]) : data.summary[colour];
  const both = [of('white'), of('black')];
  return (
    <>
      <div class="chooser">
        <label>
          Scheme{' '}
          <select value={scheme.value} onChange={event => (scheme.value = event.currentTarget.value as Scheme)}>
            {schemes.map(each => (
              <option key={each.id} value={each.id}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
        <label>
          Phase{' '}
          <select value={phase.value} onChange={event => (phase.value = event.currentTarget.value)}>
            <option value="">Whole game</option>
            {['opening', 'middlegame', 'endgame'].map(each => (
              <option key={each} value={each}>
                {word(each)}
              </option>
            ))}
          </select>
        </label>
      </div>
      <table class="figure-table sums">
        <thead>
          <tr>
            <td />
            <th scope="col">White</th>
            <th scope="col">Black</th>
          </tr>
        </thead>
        <tbody>
          {rowsOf(scheme.value, both).map(([name, of, counted]) => (
            <tr key={name}>
              <th scope="row">
                {counted && <span class={`glyph ${colours(styleOf(counted))}`}>{styleOf(counted).glyph || iconOf({ name }) || '·'}</span>}
                {name}
              </th>
              {(['white', 'black'] as const).map((colour, i) => (
                <td key={colour}>
                  {counted && of(both[i]!) !== '0' && !phase.value ? (
                    <button type="button" class="count" aria-label={`${name} by ${word(colour)}: ${of(both[i]!)}. Go to the next`} onClick={() => nextOfClass(counted, colour)}>
                      {of(both[i]!)}
                    </button>
                  ) : (
                    of(both[i]!)
                  )}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
