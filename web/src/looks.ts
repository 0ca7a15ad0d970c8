// What a verdict looks like: a word, a glyph and a tone, which the server knows for every class of every scheme.
import { status } from './server';
import type { Ply, Scheme, Tone } from './types';

export interface Look {
  name: string; // empty: nothing to say
  tone: Tone;
  glyph: string;
  text: string;
}

export const schemes: { id: Scheme; name: string }[] = [
  { id: 'points', name: 'Points' },
  { id: 'labels', name: 'Labels' },
  { id: 'acpl', name: 'Centipawns' },
  { id: 'lichess', name: 'Lichess' },
];

function nameOf(ply: Ply, scheme: Scheme): string {
  if (!ply.verdicts) return '';
  switch (scheme) {
    case 'points':
      return ply.verdicts.points.class;
    case 'labels':
      return ply.verdicts.labels.label;
    case 'acpl':
      return ply.verdicts.acpl.error ?? '';
    case 'lichess':
      return ply.verdicts.lichess.judgement ?? '';
  }
}

export function styleOf(name: string): { tone: Tone; glyph: string } {
  const [tone, glyph] = status.value?.looks[name] ?? ['plain', ''];
  return { tone: tone as Tone, glyph };
}

// A missed chance that is a blunder too looks like one.
const gravest = ({ label, severity }: { label: string; severity: string }) => (label === 'Miss' && severity === 'Blunder' ? severity : label);

export function lookOf(ply: Ply, scheme: Scheme): Look {
  const name = nameOf(ply, scheme);
  const { tone, glyph } = styleOf(scheme === 'labels' && ply.verdicts ? gravest(ply.verdicts.labels) : name);
  const text = ply.verdicts ? ply.verdicts[scheme].reason.text : (ply.no_verdict ?? '');
  return { name: word(name), tone, glyph, text };
}

// BRILLIANT shouts in a table; in running text it is Brilliant.
export const word = (name: string) => (name === '' ? '' : name[0]!.toUpperCase() + name.slice(1).toLowerCase());

export const isError = (look: Look) => ['dubious', 'bad', 'terrible'].includes(look.tone) && look.glyph !== '!?';
