// What every class looks like. Made from src/report/scheme.cpp: after a change there,
//   build/test/tools/make_looks > web/src/looks.generated.ts

export type Tone = 'great' | 'good' | 'plain' | 'dubious' | 'bad' | 'terrible';

export interface Style {
  tone: Tone;
  hue: string; // the class of a colour of its own; empty: that of the tone
  glyph: string;
  notable: boolean; // worth a mark in the graph
  error: boolean; // a better move is worth showing
}

export const styles: Record<string, Style> = {
  BRILLIANT: { tone: 'great', hue: '', glyph: '!!', notable: true, error: false },
  CRITICAL: { tone: 'great', hue: '', glyph: '!', notable: true, error: false },
  BEST: { tone: 'good', hue: '', glyph: '', notable: false, error: false },
  EXCELLENT: { tone: 'good', hue: '', glyph: '', notable: false, error: false },
  OKAY: { tone: 'plain', hue: '', glyph: '', notable: false, error: false },
  INACCURACY: { tone: 'dubious', hue: '', glyph: '?!', notable: true, error: true },
  MISTAKE: { tone: 'bad', hue: '', glyph: '?', notable: true, error: true },
  BLUNDER: { tone: 'terrible', hue: '', glyph: '??', notable: true, error: true },
  RISKY: { tone: 'dubious', hue: '', glyph: '!?', notable: true, error: false },
  FORCED: { tone: 'plain', hue: '', glyph: '', notable: false, error: false },
  THEORY: { tone: 'plain', hue: '', glyph: '', notable: false, error: false },
  Book: { tone: 'plain', hue: 'hueBook', glyph: '📖', notable: false, error: false },
  Miss: { tone: 'bad', hue: 'hueMiss', glyph: '⊘', notable: true, error: true },
  Brilliant: { tone: 'great', hue: 'hueBrilliant', glyph: '‼', notable: true, error: false },
  Best: { tone: 'good', hue: 'hueBest', glyph: '✓', notable: false, error: false },
  Excellent: { tone: 'good', hue: 'hueExcellent', glyph: '⚡', notable: false, error: false },
  Good: { tone: 'plain', hue: 'hueGood', glyph: '○', notable: false, error: false },
  Inaccuracy: { tone: 'dubious', hue: 'hueInaccuracy', glyph: '?!', notable: true, error: true },
  Mistake: { tone: 'bad', hue: 'hueMistake', glyph: '?', notable: true, error: true },
  Blunder: { tone: 'terrible', hue: 'hueBlunder', glyph: '??', notable: true, error: true },
  inaccuracy: { tone: 'dubious', hue: '', glyph: '?!', notable: true, error: true },
  mistake: { tone: 'bad', hue: '', glyph: '?', notable: true, error: true },
  blunder: { tone: 'terrible', hue: '', glyph: '??', notable: true, error: true },
};

// A Miss that looks worse by the label that its loss alone has.
export const missStyles: Record<string, Style> = {
  Blunder: { tone: 'terrible', hue: 'hueMiss', glyph: '⊘', notable: true, error: true },
};
