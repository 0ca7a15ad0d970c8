// The review as a picture, made in the browser: players, accuracies, the curve and the story, to be saved or shared.
import { playersOf, tag } from './head';
import { lookOf, word } from './looks';
import { shownDate, whiteChances } from './numbers';
import type { Colour, Review } from './types';
import { review } from './viewing';

const width = 1200;
const height = 630; // as social pages show pictures
const margin = 56;

// The words in lines of at most so many pixels.
export function wrapped(words: string[], widthOf: (text: string) => number, most: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const each of words) {
    const longer = line ? `${line} ${each}` : each;
    if (line && widthOf(longer) > most) {
      lines.push(line);
      line = each;
    } else line = longer;
  }
  return line ? [...lines, line] : lines;
}

function drawCurve(context: CanvasRenderingContext2D, game: Review, top: number, tall: number): void {
  const wide = width - 2 * margin;
  const chances = [whiteChances(game.plies[0], 'win_before'), ...game.plies.map(ply => whiteChances(ply, 'win_after'))];
  const x = (i: number) => margin + (wide * i) / Math.max(1, chances.length - 1);
  const y = (chance: number) => top + tall * (1 - chance);
  context.fillStyle = '#3b352e';
  context.fillRect(margin, top, wide, tall);
  context.fillStyle = '#f6f1e7';
  context.beginPath();
  context.moveTo(margin, top + tall);
  chances.forEach((chance, i) => context.lineTo(x(i), y(chance)));
  context.lineTo(margin + wide, top + tall);
  context.fill();
  const tones: Record<string, string> = { great: '#1aa3ad', dubious: '#d99a1c', bad: '#e0701f', terrible: '#d61f3a' };
  game.plies.forEach((ply, i) => {
    const look = lookOf(ply, 'points');
    const tone = tones[look.tone];
    if (!look.notable || !tone) return;
    context.fillStyle = tone;
    context.strokeStyle = '#ffffff';
    context.lineWidth = 2;
    context.beginPath();
    context.arc(x(i + 1), Math.min(top + tall - 9, Math.max(top + 9, y(chances[i + 1]!))), 8, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  });
}

export function drawCard(context: CanvasRenderingContext2D, game: Review): void {
  const font = (size: number, weight = 400) => (context.font = `${weight} ${size}px system-ui, sans-serif`);
  const text = (words: string, x: number, y: number, colour = '#211d18', most = width - margin - x) => {
    context.fillStyle = colour;
    context.fillText(words, x, y, most);
  };
  context.fillStyle = '#f7f4ee';
  context.fillRect(0, 0, width, height);
  font(40, 700);
  text(`${playersOf(game)}  ${game.result}`, margin, 90);
  font(24);
  text([tag(game, 'Event'), shownDate(tag(game, 'Date')), game.opening?.name].filter(Boolean).join(' · '), margin, 130, '#645c51');
  drawCurve(context, game, 160, 190);
  (['white', 'black'] as Colour[]).forEach((colour, i) => {
    const { accuracy, counts } = game.summary[colour].points;
    const x = margin + i * (width / 2 - margin / 2);
    font(54, 700);
    const figure = accuracy === null ? '–' : accuracy.toFixed(1);
    text(figure, x, 418);
    const after = x + context.measureText(figure).width + 16;
    font(21);
    const room = width / 2 - 1.5 * margin - (after - x);
    const errors = ['INACCURACY', 'MISTAKE', 'BLUNDER'].map(name => `${counts[name] ?? 0} ${word(name).toLowerCase()}`);
    const rating = tag(game, `${word(colour)}Elo`);
    text(`${tag(game, word(colour)) || word(colour)}${rating && ` (${rating})`}, accuracy`, after, 392, '#645c51', room);
    text(errors.join(', ').replace(/(\d\d+|[02-9]) (inaccurac)y/, '$1 $2ies').replace(/(\d\d+|[02-9]) (mistake|blunder)/g, '$1 $2s'), after, 420, '#645c51', room);
  });
  font(26);
  wrapped((game.story ?? '').split(' '), words => context.measureText(words).width, width - 2 * margin)
    .slice(0, 4)
    .forEach((line, i) => text(line, margin, 476 + i * 34));
  font(22, 600);
  text('Postmortem', width - margin - 130, 604, '#14505c');
}

// What became of it, for screen readers.
export async function saveCard(): Promise<string> {
  const game = review.value;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!game || !context) return 'There is nothing to draw.';
  drawCard(context, game);
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/png'));
  if (!blob) return 'The picture could not be made.';
  const name = `${playersOf(game).replace(/[/\\:*?"<>|]/g, '_')}.png`;
  const file = new File([blob], name, { type: 'image/png' });
  if (matchMedia('(pointer: coarse)').matches && navigator.canShare?.({ files: [file] })) {
    await navigator.share({ files: [file], title: playersOf(game) }).catch(() => undefined); // taken back
    return 'Shared.';
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return `Saved as ${name}.`;
}
