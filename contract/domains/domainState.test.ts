import { expect, test } from 'vitest';
import type { RecordStatus } from './recordStatus.ts';
import { judgeDomainState } from './domainState.ts';

const RIGHT = {
  verified: true,
  status: 'completed',
  verification: 'completed',
  mail_from_domain: 'bounce.a.test',
  mail_from_verified: true,
  dns: [{ is_valid: true }],
};
const UNKNOWN = {
  verified: null,
  status: null,
  verification: null,
  mail_from_domain: null,
  mail_from_verified: null,
  dns: null,
};

test.each([
  ['is right in everything', {}, 'healthy'],
  ['has words that nobody knows', { status: 'active', verification: '' }, 'healthy'],
  ['has no MAIL FROM name', { mail_from_domain: '', mail_from_verified: false }, 'healthy'],
  ['has no records', { dns: [] }, 'healthy'],
  ['has a record without a verdict', { dns: [{ is_valid: null }] }, 'healthy'],
  ['is not verified yet', { verified: false, status: 'pending', verification: 'pending' }, 'pending'],
  ['is pending by one word', { status: 'pending' }, 'pending'],
  ['is pending and has a wrong record', { verification: 'pending', dns: [{ is_valid: false }] }, 'pending'],
  ['has failed', { verified: false, status: 'failed', verification: 'failed' }, 'failing'],
  ['has failed by one word, and is pending by the other', { status: 'pending', verification: 'failed' }, 'failing'],
  ['has lost a record', { dns: [{ is_valid: true }, { is_valid: false }] }, 'failing'],
  ['has a MAIL FROM name that is not verified', { mail_from_verified: false }, 'failing'],
  ['is not verified, in words that nobody knows', { verified: false, status: 'under_review' }, 'failing'],
] as const)('a domain that %s: %j is %s', (_, change, state) => {
  expect(judgeDomainState({ ...RIGHT, ...change })).toBe(state);
});

test.each([
  ['says nothing', {}, null],
  ['says only that a record is valid', { dns: [{ is_valid: true }] }, null],
  ['says only that a record is wrong', { dns: [{ is_valid: false }] }, 'failing'],
  ['says only that it is verified', { verified: true }, 'healthy'],
  ['says only that it is not verified', { verified: false }, 'failing'],
] as const)('a service that %s: %j means %j', (_, sent, state) => {
  expect(judgeDomainState({ ...UNKNOWN, ...sent })).toBe(state);
});

/** `!`: somebody accepts it. The record of the domain is the first. */
function verdictsOf(text: string) {
  return text.split(' ').map((word, at) => ({
    result: word.replace('!', '') as RecordStatus,
    index: at === 0 ? 0 : null,
    accepted: word.endsWith('!') ? {} : null,
  }));
}

const BROKEN = { verified: false, status: 'failed', verification: 'failed', dns: [{ is_valid: false }] };
const NEW = { verified: false, status: 'pending', verification: 'pending', dns: [{ is_valid: false }] };

test.each([
  ['is right', {}, 'ok ok', 'healthy'],
  ['lost its record a moment ago', {}, 'fail ok', 'failing'],
  ['needs fixing while it is being set up', NEW, 'fail ok', 'failing'],
  ['is being set up, and what was entered spreads', NEW, 'pending ok', 'pending'],
  ['needs fixing while something else spreads', {}, 'fail pending', 'failing'],
  ['is spreading', {}, 'pending warn', 'pending'],
  ['has advice', {}, 'ok warn', 'warning'],
  ['has advice that fails', {}, 'ok fail', 'failing'],
  ['has advice while it is being set up', NEW, 'ok warn', 'pending'],
  ['could not be checked', {}, 'unknown unknown', 'healthy'],
  ['could not be checked since it failed', BROKEN, 'unknown ok', 'failing'],
  ['has a fault that is accepted', BROKEN, 'fail! ok', 'healthy'],
  ['has advice that is accepted', {}, 'ok warn!', 'healthy'],
  ['has a fault that is accepted, and advice', BROKEN, 'fail! warn', 'warning'],
  ['has a fault that is accepted, and another', BROKEN, 'fail! fail', 'failing'],
  [
    'has a fault that is accepted, and a record that failed before it could not be checked',
    { ...BROKEN, dns: [{ is_valid: false }, { is_valid: false }] },
    'fail! unknown',
    'failing',
  ],
  ['has accepted advice, and is being set up', NEW, 'unknown warn!', 'pending'],
] as const)('a domain that %s: %j with %s is %s', (_, change, verdicts, state) => {
  expect(judgeDomainState({ ...RIGHT, ...change }, verdictsOf(verdicts))).toBe(state);
});
