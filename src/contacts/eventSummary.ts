import type { Attributes } from '#contract/field.ts';
import { LosslessNumber } from '../ui/json.ts';

/** In UTF-16 code units. */
const LENGTH = 48;

/** A summary of an event in one line: its first three attributes with a plain value, shortened. */
export function pickSummaryAttributes(attributes: Attributes): [key: string, value: string][] {
  return Object.entries(attributes)
    .filter(([, value]) => isPlain(value) && String(value).trim() !== '')
    .slice(0, 3)
    .map(([key, value]) => [key, shorten(String(value).trim().replaceAll(/\s+/g, ' '))]);
}

const isPlain = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof LosslessNumber;

function shorten(text: string): string {
  // Do not leave half a surrogate pair at the end.
  return text.length > LENGTH ? `${text.slice(0, LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
