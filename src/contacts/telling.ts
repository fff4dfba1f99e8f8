import type { Attributes } from '#contract/field.ts';

const LENGTH = 48;

/** The two or three attributes that tell an event apart in one line: the first short, plain ones. */
export function telling(attributes: Attributes): [key: string, value: string][] {
  return Object.entries(attributes)
    .filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value) && value !== '')
    .slice(0, 3)
    .map(([key, value]) => [key, shorten(String(value).replaceAll(/\s+/g, ' '))]);
}

const shorten = (text: string) => (text.length > LENGTH ? `${text.slice(0, LENGTH - 1)}…` : text);
