import { describe, expect, test } from 'vitest';
import { judgeTexts, ten } from '../../testing/testSpf.ts';
import { catalogue, type Judgement } from './catalogue.ts';
import type { SentenceContext, CatalogueEntry } from './catalogueEntry.ts';

// The texts for the owner of o.test.

const ABOUT: SentenceContext = {
  role: 'record',
  domain: 'o.test',
  name: 'o.test',
  type: 'TXT',
  zone: 'o.test',
  host: '@',
  dnsHost: 'at your DNS host',
  expected: '',
  found: [],
};

function inWords({ code, facts, offer }: Judgement): string {
  const { describe: says, todo }: CatalogueEntry<never> = catalogue[code] as CatalogueEntry<never>;
  const sentences = [says(facts as never, ABOUT), offer === null ? '' : todo?.(facts as never, ABOUT)];
  return sentences.filter(Boolean).join(' ');
}

describe('each sentence says what is wrong, where, and what to do where nothing is offered', () => {
  test.each<[string | readonly string[], ...string[]]>([
    [`v=spf1 ${ten.slice(0, 8).join(' ')} include:_spf.o.test -all`, 'is published and correct'],
    [
      `v=spf1 include:nine.test include:spf.p.test -all`,
      'needs 11 DNS lookups',
      '10 for "include:nine.test"',
      'allow 10',
    ],
    [
      'v=spf1 include:nine.test -all',
      'doesn\'t allow the senders of "include:spf.p.test".',
      'would need 11 DNS lookups',
      'receivers allow 10. It already needs 10.',
      'Remove what is no longer used first.',
    ],
    [
      'v=spf1 include:spf.p.test include:nine.test include:eight.test include:nine.test mx -all',
      '21 or more DNS lookups',
    ],
    ['v=spf1 -all include:spf.p.test', 'It has that, but after "-all", where receivers stop.'],
    ['v=spf1 ?include:spf.p.test -all', 'It has "?include:spf.p.test", which doesn\'t allow them.'],
    ['v=spf1 ip4:198.51.100.0/25 -all', "doesn't allow all senders of", 'For example, it denies 198.51.100.128.'],
    ['v=spf1 exists:%{l}.hosted.test -all', 'exists:%{l}.hosted.test', 'macro', 'Ask the service'],
    [
      'v=spf1 include: spf.p.test ~all',
      '"include: spf.p.test", which should be "include:spf.p.test", without the space',
    ],
    [
      ['v=spf1 mx -all', '"v=spf1 include:spf.p.test ~all"'],
      'Also delete "v=spf1 include:spf.p.test ~all": it was meant as another SPF record.',
    ],
    [['v=spf1 include:by.test -all', 'v=spf1 mx -all'], '2 SPF records', 'at gone.test', 'Ask the operator of by.test'],
    ['v=spf1 include:loop.test include:spf.p.test -all', 'in a circle', 'Ask the operator of loop.test'],
    ['v=spf1 a:x.test a:y.test mx:z.test include:spf.p.test -all', '"a:x.test", "a:y.test", "mx:z.test"'],
  ])('%j', async (texts, ...sentences) => {
    const words = inWords(await judgeTexts([texts].flat()));
    for (const sentence of sentences) expect(words).toContain(sentence);
    expect(words).not.toMatch(/undefined|null|NaN|\[object|  |\.\./);
  });
});
