import type { Attributes } from '#contract/field.ts';
import { LosslessNumber } from '../ui/json.ts';

const LENGTH = 48;

/** The two or three attributes that tell an event apart in one line: the first plain ones, cut where they are long. */
export function pickSummaryAttributes(attributes: Attributes): [key: string, value: string][] {
  return Object.entries(attributes)
    .filter(([, value]) => isPlain(value) && String(value).trim() !== '')
    .slice(0, 3)
    .map(([key, value]) => [key, shorten(String(value).trim().replaceAll(/\s+/g, ' '))]);
}

const isPlain = (value: unknown) =>
  ['string', 'number', 'boolean'].includes(typeof value) || value instanceof LosslessNumber;

function shorten(text: string): string {
  // An emoji is two units long; half of one is no character.
  return text.length > LENGTH ? `${text.slice(0, LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
