import { isExactNumber } from '#contract/values/json.ts';

/** ES2026, which TypeScript has no types for yet. */
const json = JSON as Omit<typeof JSON, 'parse'> & {
  parse: (text: string, reviver?: (key: string, value: unknown, context: { source: string }) => unknown) => unknown;
  /** An object that `stringify` writes as this text. */
  rawJSON: (text: string) => object;
};

/** A number that JavaScript can't hold exactly: 9007199254740993 would become …992, and 1e400 Infinity. */
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

/** A number that may be inexact. Without one, parsing takes a quarter of the time. */
const MAY_BE_INEXACT = /(?:^|[\s:,[])-?[\d.]*(?:\d{16}|\d[eE])/;

/** Throws a `SyntaxError`, or a `RangeError` if the value is nested too deeply. */
export function parseJson(text: string): unknown {
  if (!MAY_BE_INEXACT.test(text)) return json.parse(text);
  return json.parse(text, (_, value, { source }) =>
    typeof value === 'number' && !isExactNumber(value) ? new LosslessNumber(source) : value,
  );
}

export function formatJson(value: unknown, indent = 2): string {
  try {
    return JSON.stringify(value, null, indent) ?? '';
  } catch {
    return '(nested too deeply to show)';
  }
}
