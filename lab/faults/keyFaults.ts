import { fault } from './fault.ts';
import { KEY, OTHER_KEY, SHORT_KEY, text, WEAK_KEY } from './records.ts';

export const keyFaults = [
  fault('weak-key', 'key', text('s._domainkey', WEAK_KEY), 'DKIM_WEAK_KEY', {
    value: WEAK_KEY,
    found: [WEAK_KEY],
    host: null,
  }),
  fault('short-key', 'key', text('s._domainkey', SHORT_KEY), 'DKIM_SHORT_KEY', {
    value: SHORT_KEY,
    found: [SHORT_KEY],
    host: null,
  }),
  fault('broken-key', 'key', text('s._domainkey', 'v=DKIM1; k=rsa; p=abc'), 'DKIM_BROKEN_KEY', {
    value: 'v=DKIM1; k=rsa; p=abc',
    found: ['v=DKIM1; k=rsa; p=abc'],
    host: null,
  }),
  fault('other-key', 'key', text('s._domainkey', OTHER_KEY), 'DKIM_OTHER_KEY', { found: [OTHER_KEY] }),
  fault('withdrawn-key', 'key', text('s._domainkey', 'v=DKIM1; k=rsa; p='), 'DKIM_REVOKED', {
    found: ['v=DKIM1; k=rsa; p='],
  }),
  fault('two-keys', 'key', text('s._domainkey', KEY.slice(0, 200), KEY.slice(200)), 'KEY_IN_SEVERAL_RECORDS', {
    found: [KEY.slice(0, 200), KEY.slice(200)].toSorted(),
  }),
  fault('cut-key', 'key', text('s._domainkey', KEY.slice(0, 255)), 'VALUE_CUT', { found: [KEY.slice(0, 255)] }),
  fault('kind-in-capitals', 'key', text('s._domainkey', `${KEY.replace('k=rsa', 'k=RSA')};;`), 'DKIM_LOOSE_SYNTAX', {
    says: 'there is nothing between two ";"',
  }),
  fault('tag-twice', 'key', text('s._domainkey', `${KEY}; p=again`), 'DKIM_SYNTAX'),
];
