import { defineConfig } from 'vitest/config';

// The sample game is text, as in build.mjs.
const games = {
  name: 'games',
  enforce: 'pre',
  transform: (code, id) => (id.endsWith('.pgn') ? `export default ${JSON.stringify(code)};` : undefined),
};

export default defineConfig({
  cacheDir: '../build/vite',
  plugins: [games],
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    setupFiles: process.env.MEASURE ? ['test/measure.mjs'] : [],
    restoreMocks: true,
    unstubGlobals: true,
  },
});
