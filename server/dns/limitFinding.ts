import { escapeInvalidBytes } from '#contract/characterStrings.ts';
import type { Finding } from '#contract/dnsCheck.ts';

/** In bytes. */
const TEXT_MAX = 2000;
const LIST_MAX = 20;
const VALUES_IN_SENTENCE = 5;
const VALUE_IN_SENTENCE_MAX = 200;

/** The finding with texts that are well-formed, and with texts and lists that are not endless, whoever wrote them. */
export function limitFinding(finding: Finding): Finding {
  const { expected, found, diagnosis, fix, evidence } = finding;
  const isWhole = fix === null || Buffer.byteLength(fix.value) <= TEXT_MAX;
  return {
    ...finding,
    expected: expected === null ? null : clip(expected),
    found: found.slice(0, LIST_MAX).map((value) => clip(value)),
    diagnosis: clip(diagnosis),
    // Half a value is worse than none.
    fix: fix && isWhole ? { ...fix, todo: clip(fix.todo), value: escapeInvalidBytes(fix.value) } : null,
    evidence: evidence.slice(0, LIST_MAX).map((one) => ({
      ...one,
      records: one.records.slice(0, LIST_MAX).map((record) => ({ ...record, value: clip(record.value) })),
    })),
  };
}

/** Values as a part of a sentence, which must not become the whole of it. */
export function limitForSentence(values: readonly string[]): string[] {
  const some = values.slice(0, VALUES_IN_SENTENCE).map((value) => clip(value, VALUE_IN_SENTENCE_MAX));
  return values.length > some.length ? [...some, `${values.length - some.length} more`] : some;
}

/** `text` as people can read it, in at most `max` bytes. */
export function clip(text: string, max = TEXT_MAX): string {
  const bytes = Buffer.from(escapeInvalidBytes(text));
  if (bytes.length <= max) return bytes.toString();
  const end = '…';
  // What was cut in the middle of a character is no character.
  return `${bytes.toString('utf8', 0, max - Buffer.byteLength(end)).replace(/\ufffd+$/, '')}${end}`;
}
