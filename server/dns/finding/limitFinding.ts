import { escapeInvalidBytes } from '#contract/values/characterStrings.ts';
import type { Finding } from '#contract/dnsCheck.ts';

/** Bytes. */
const TEXT_MAX = 2000;
const LIST_MAX = 20;
const VALUES_IN_SENTENCE = 5;
const VALUE_IN_SENTENCE_MAX = 200;

/** Limits the texts and lists, which may come from the DNS of a stranger, and makes texts well-formed. */
export function limitFinding(finding: Finding): Finding {
  const { expected, found, diagnosis, fix, evidence } = finding;
  const isWhole = fix === null || Buffer.byteLength(fix.value) <= TEXT_MAX;
  return {
    ...finding,
    expected: expected === null ? null : clip(expected),
    found: found.slice(0, LIST_MAX).map((value) => clip(value)),
    diagnosis: clip(diagnosis),
    // A truncated value must not be published, so the fix is left out.
    fix: fix && isWhole ? { ...fix, todo: clip(fix.todo), value: escapeInvalidBytes(fix.value) } : null,
    evidence: evidence.slice(0, LIST_MAX).map((one) => ({
      ...one,
      records: one.records.slice(0, LIST_MAX).map((record) => ({ ...record, value: clip(record.value) })),
    })),
  };
}

export function limitForSentence(values: readonly string[]): string[] {
  const some = values.slice(0, VALUES_IN_SENTENCE).map((value) => clip(value, VALUE_IN_SENTENCE_MAX));
  return values.length > some.length ? [...some, `${values.length - some.length} more`] : some;
}

function clip(text: string, max = TEXT_MAX): string {
  const bytes = Buffer.from(escapeInvalidBytes(text));
  if (bytes.length <= max) return bytes.toString();
  const end = '…';
  // Removes a character that was cut.
  return `${bytes.toString('utf8', 0, max - Buffer.byteLength(end)).replace(/(?<!\ufffd)\ufffd+$/, '')}${end}`;
}
