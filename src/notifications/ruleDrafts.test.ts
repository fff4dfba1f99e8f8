import { expect, test } from 'vitest';
import type { Rules } from '#contract/notifications.ts';
import { describeRules, draftRules, findDomainsError, toRules } from './ruleDrafts.ts';

const NOTHING: Rules = { incidents: [], contact_changes: false, digest: false, heartbeat: false };

test.each<[what: string, rules: Partial<Rules>, words: string[]]>([
  ['nothing', {}, ['Nothing of its own']],
  ['a rule without conditions', { incidents: [{}] }, ['All faults']],
  [
    'who must act',
    { incidents: [{ turns: ['dns_host', 'registrar'] }] },
    ['Faults that the DNS host or the domain owner at the registrar must fix'],
  ],
  [
    'every condition',
    {
      incidents: [
        {
          kinds: ['broken'],
          domains: ['a.example', '*.b.example'],
          turns: ['owner'],
          severities: ['refuses', 'limits'],
        },
      ],
    },
    ['Broken records of a.example, *.b.example that the domain owner must fix, if mail is refused or limited'],
  ],
  ['weak records', { incidents: [{ kinds: ['weak'] }] }, ['Weak records']],
  ['both kinds', { incidents: [{ kinds: ['broken', 'weak'] }] }, ['All faults']],
  [
    'everything else',
    { contact_changes: true, digest: true, heartbeat: true },
    ['Changes of contacts', 'Weekly digest', 'Daily heartbeat'],
  ],
])('%s in words', (_, rules, words) => {
  expect(describeRules({ ...NOTHING, ...rules })).toEqual(words);
});

test('editing without a change keeps the rules, several too', () => {
  const rules: Rules = {
    incidents: [{ domains: ['a.example', '*.b.example'], severities: ['refuses'] }, { turns: ['provider'] }, {}],
    contact_changes: true,
    digest: false,
    heartbeat: true,
  };
  expect(toRules(draftRules(rules))).toEqual(rules);
});

test('a condition without a choice is no condition: one that nothing meets would silence the destination', () => {
  const draft = { ...draftRules(NOTHING), incidents: [{ turns: [], domains: ' , ', kinds: [], severities: [] }] };
  expect(toRules(draft).incidents).toEqual([{}]);
});

test.each(['', 'a.example', 'a.example, *.b.example', 'a.example\nb.example', 'münchen.example', '_x.a.example'])(
  'the domains %j are accepted',
  (text) => expect(findDomainsError(text)).toBeUndefined(),
);

test.each([
  ['example', 'example'],
  ['a.example b@c.example', 'b@c.example'],
  ['*', '*'],
  ['a.*.example', 'a.*.example'],
  ['*.example', '*.example'],
  ['https://a.example', 'https://a.example'],
])('of %j, %j is refused', (text, word) => {
  expect(findDomainsError(text)).toBe(
    `“${word}” isn’t a domain. Write example.com, or *.example.com for the domains below it.`,
  );
});
