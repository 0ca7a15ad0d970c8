// A click for a move, a deeper one for a capture, a higher one for a check: made here, off unless somebody wants them.
import { effect, untracked } from '@preact/signals';

import { soundsOn } from './settings';
import { node } from './viewing';

let audio: AudioContext | null = null;
let last = 0; // the move that was heard

function click(pitch: number): void {
  audio ??= new AudioContext();
  const now = audio.currentTime;
  const tone = audio.createOscillator();
  const volume = audio.createGain();
  tone.type = 'triangle';
  tone.frequency.setValueAtTime(pitch, now);
  tone.frequency.exponentialRampToValueAtTime(pitch / 2, now + 0.06);
  volume.gain.setValueAtTime(0.25, now);
  volume.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(volume).connect(audio.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}

export const pitchOf = (san: string) => (/[+#]/.test(san) ? 660 : san.includes('x') ? 220 : 330);

effect(() => {
  const { id, san } = node.value;
  untracked(() => {
    if (soundsOn.value && id !== last && san !== '') click(pitchOf(san));
    last = id;
  });
});

