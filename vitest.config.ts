import { defineConfig } from 'vitest/config';

/** Milliseconds; only a hang reaches it, on a busy machine too. */
const testTimeout = 60_000;

export default defineConfig({
  test: {
    // One worker fewer than there are processors would be one, on two of them.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'node',
          testTimeout,
          environment: 'node',
          include: ['{contract,server,src,bench,.ci}/**/*.test.ts'],
        },
      },
      {
        extends: './vite.config.ts',
        test: {
          name: 'dom',
          testTimeout,
          environment: 'jsdom',
          include: ['src/**/*.test.tsx'],
          setupFiles: ['.ci/dom.ts'],
        },
      },
    ],
  },
});
