import { expect, test } from 'vitest';
import { Terminal } from './terminal.ts';

function terminal(isTTY: boolean, columns = 60) {
  const out = { text: '', isTTY, columns, write: (text: string) => ((out.text += text), true) };
  return { out, terminal: new Terminal(out) };
}

test('a terminal shows a bar, which makes way for sentences and does not wrap', () => {
  const { out, terminal: shown } = terminal(true);
  shown.progress(0.5, '2,500 lines');
  expect(out.text).toBe('\r\u001b[K[###############...............] 2,500 lines');
  out.text = '';
  shown.say("Line 7: The line isn't JSON.");
  expect(out.text).toBe("\r\u001b[KLine 7: The line isn't JSON.\n");
  out.text = '';
  shown.progress(1, 'x'.repeat(100));
  expect(out.text.slice('\r\u001b[K'.length)).toHaveLength(59);
  shown.clear();
  expect(out.text.endsWith('\r\u001b[K')).toBe(true);
});

test('a file or a pipe gets sentences only', () => {
  const { out, terminal: shown } = terminal(false);
  shown.progress(0.5, '2,500 lines');
  shown.say("Line 7: The line isn't JSON.");
  shown.clear();
  expect(out.text).toBe("Line 7: The line isn't JSON.\n");
});
