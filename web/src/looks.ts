// What a verdict looks like: a word, a glyph and a tone.
import { missStyles, styles, type Style } from './looks.generated';
import type { Ply, Scheme } from './types';

export interface Look extends Style {
  name: string; // empty: nothing to say
  sureness: string; // "likely" or "open": whether an error stands may change with more depth
  text: string;
}

export const schemes: { id: Scheme; name: string }[] = [
  { id: 'points', name: 'Points' },
  { id: 'labels', name: 'Labels' },
  { id: 'acpl', name: 'Centipawns' },
  { id: 'lichess', name: 'Lichess' },
];

// As the scheme has it: "BLUNDER", "Miss"; empty: nothing to say.
export function nameOf({ verdicts }: Ply, scheme: Scheme): string {
  if (!verdicts) return '';
  switch (scheme) {
    case 'points':
      return verdicts.points.class;
    case 'labels':
      return verdicts.labels.label;
    case 'acpl':
      return verdicts.acpl.error ?? '';
    case 'lichess':
      return verdicts.lichess.judgement ?? '';
  }
}

const nothing: Style = { tone: 'plain', hue: '', glyph: '', notable: false, error: false };
export const colours = (style: Style) => `${style.tone} ${style.hue}`;
export const styleOf = (name: string): Style => styles[name] ?? nothing;

export function lookOf(ply: Ply, scheme: Scheme): Look {
  const { verdicts, no_verdict } = ply;
  if (!verdicts) return { ...nothing, name: '', sureness: '', text: no_verdict ? `No verdict: ${no_verdict}.` : '' };
  const name = nameOf(ply, scheme);
  const style = name === 'Miss' ? missStyles[verdicts.labels.severity] : undefined;
  const look = style ?? styleOf(name);
  const confidence = scheme === 'points' && look.error ? verdicts.points.confidence?.word : undefined;
  const sureness = confidence === undefined || confidence === 'firm' ? '' : confidence;
  return { ...look, name: word(name), sureness, text: verdicts[scheme].reason.text };
}

// There is something better to show than what was called the best.
export const hasBetter = (ply: Ply) => ply.best !== null && ply.best.uci !== ply.uci && !['BEST', 'FORCED'].includes(nameOf(ply, 'points'));

// A sign for the classes that have no glyph, so that a column of moves is read at a glance.
const icons: Record<string, string> = { Theory: '≡', Book: '≡', Best: '★', Excellent: '✓', Good: '✓', Okay: '·', Forced: '→' };
export const iconOf = ({ name }: { name: string }) => icons[name] ?? '';

// BRILLIANT shouts in a table; in running text it is Brilliant.
export const word = (name: string) => (name === '' ? '' : name[0]!.toUpperCase() + name.slice(1).toLowerCase());
