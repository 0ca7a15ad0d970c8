import { defineConfig } from 'vitest/config';

export default defineConfig({
  cacheDir: '../build/vite',
  test: { environment: 'happy-dom', include: ['src/**/*.test.{ts,tsx}'], restoreMocks: true, unstubGlobals: true },
});
