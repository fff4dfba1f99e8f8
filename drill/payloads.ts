import { runBrowserTests } from './runBrowserTests.ts';
import type { Drill } from './drill.ts';

export const payloads: Drill = {
  name: 'payloads',
  description: 'each text that would have an effect as markup, in each field of the console, received and typed',
  minutesMax: 30,
  async *run(folder) {
    for (const file of ['payloads.spec.ts', 'typed.spec.ts']) {
      const tests = await runBrowserTests(folder, file, '.', { EVERY_PAYLOAD: '1' });
      const wrong = tests.filter(({ isPassed }) => !isPassed);
      yield {
        what: `${tests.length} tests of e2e/${file}`,
        expected: 'every text is shown as it is, and has no effect',
        measured: wrong.length === 0 ? 'so it was' : `${wrong.length} not: ${wrong[0]?.title}: ${wrong[0]?.error}`,
        holds: tests.length > 0 && wrong.length === 0,
      };
    }
  },
};
