// The element that chessground draws pieces with, so that one piece set serves boards, palettes and promotions.
import type { JSX } from 'preact';

declare module 'preact' {
  namespace JSX {
    interface IntrinsicElements {
      piece: JSX.HTMLAttributes<HTMLElement>;
    }
  }
}
