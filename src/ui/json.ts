import { isExactNumber } from '#contract/exactNumber.ts';

/** What ES2026 adds, and TypeScript does not know yet. */
const json = JSON as Omit<typeof JSON, 'parse'> & {
  parse: (text: string, reviver?: (key: string, value: unknown, context: { source: string }) => unknown) => unknown;
  /** The same text again, where it is written as JSON. */
  rawJSON: (text: string) => object;
};

/** A number as JSON has it, where JavaScript has another: 9007199254740993 would be …992, and 1e400 none at all. */
export class LosslessNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }

  toJSON(): object {
    return json.rawJSON(this.text);
  }
}

/** The beginning of a number that may be another one; most texts hold none, and are read in a quarter of the time. */
const MAY_BE_WRITTEN = /(?:^|[\s:,[])-?[\d.]*(?:\d{16}|\d[eE])/;

/**
 * The value of JSON text, in which a number keeps its digits (`LosslessNumber`). Throws a `SyntaxError`, and a `RangeError`
 * where it is nested too deeply to be looked through.
 */
export function parseJson(text: string): unknown {
  if (!MAY_BE_WRITTEN.test(text)) return json.parse(text);
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && !isExactNumber(value) ? new LosslessNumber(source) : value,
  );
}

/** `value` as JSON text; a payload nested beyond what the browser can write says so instead of failing the page. */
export function formatJson(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return '(nested too deeply to show)';
  }
}
