import { runBrowserTests } from './runBrowserTests.ts';
import type { Drill } from './drill.ts';

export const everyScreen: Drill = {
  name: 'every-screen',
  description: 'each screen of the console lives with each of the ways in which a service can answer badly',
  minutesMax: 30,
  async *run(folder) {
    const tests = await runBrowserTests(folder, 'everyScreen.spec.ts', 'answers', { EVERY_SCREEN: '1' });
    const wrong = tests.filter(({ isPassed }) => !isPassed);
    yield {
      what: `${tests.length} tests of ways to answer badly, on each screen`,
      expected: 'never blank, never busy for ever, a message or the data, nothing that nobody may see',
      measured: wrong.length === 0 ? 'so it was' : `${wrong.length} not: ${wrong[0]?.title}: ${wrong[0]?.error}`,
      holds: tests.length > 0 && wrong.length === 0,
    };
  },
};
