// What every class looks like. Made from src/report/scheme.cpp: after a change there,
//   build/test/tools/make_looks > web/src/looks.generated.ts

export type Tone = 'great' | 'good' | 'plain' | 'dubious' | 'bad' | 'terrible';

export interface Style {
  tone: Tone;
  glyph: string;
  error: boolean; // a better move is worth showing
}

export const styles: Record<string, Style> = {
  BRILLIANT: { tone: 'great', glyph: '!!', error: false },
  CRITICAL: { tone: 'great', glyph: '!', error: false },
  BEST: { tone: 'good', glyph: '', error: false },
  EXCELLENT: { tone: 'good', glyph: '', error: false },
  OKAY: { tone: 'plain', glyph: '', error: false },
  INACCURACY: { tone: 'dubious', glyph: '?!', error: true },
  MISTAKE: { tone: 'bad', glyph: '?', error: true },
  BLUNDER: { tone: 'terrible', glyph: '??', error: true },
  RISKY: { tone: 'dubious', glyph: '!?', error: false },
  FORCED: { tone: 'plain', glyph: '', error: false },
  THEORY: { tone: 'plain', glyph: '', error: false },
  Book: { tone: 'plain', glyph: '', error: false },
  Miss: { tone: 'bad', glyph: '?', error: true },
  Brilliant: { tone: 'great', glyph: '!!', error: false },
  Best: { tone: 'good', glyph: '', error: false },
  Excellent: { tone: 'good', glyph: '', error: false },
  Good: { tone: 'plain', glyph: '', error: false },
  Inaccuracy: { tone: 'dubious', glyph: '?!', error: true },
  Mistake: { tone: 'bad', glyph: '?', error: true },
  Blunder: { tone: 'terrible', glyph: '??', error: true },
  inaccuracy: { tone: 'dubious', glyph: '?!', error: true },
  mistake: { tone: 'bad', glyph: '?', error: true },
  blunder: { tone: 'terrible', glyph: '??', error: true },
};

// A Miss that looks worse by the label that its loss alone has.
export const missStyles: Record<string, Style> = {
  Blunder: { tone: 'terrible', glyph: '??', error: true },
};
