import type { Finding, Fix } from '#contract/domains/dnsCheck.ts';

// What a person who edits zones expects of the files, written before they were.

/** A TXT value is the text; several strings are published as such. */
export type Row = readonly [name: string, type: string, value: string | readonly string[]];

type Change = { fix: Pick<Fix, 'type' | 'name' | 'value'> & Partial<Fix> } & Partial<Omit<Finding, 'fix'>>;
type More = Partial<Omit<Finding, 'fix'>> & { priority?: number };

export type FileSituation = {
  id: string;
  published: readonly Row[];
  changes: readonly Change[];
  /** The text formats in which the changes stand. In others they're comments. */
  in: readonly ('zone' | 'nsupdate' | 'dnscontrol' | 'octodns' | 'terraform')[];
  /** What is published after all of them were made. */
  after: readonly Row[];
  /** What the comments say. */
  says?: RegExp;
};

const ALL = ['zone', 'nsupdate', 'dnscontrol', 'octodns', 'terraform'] as const;
/** Those that can replace. */
const SETS = ['nsupdate', 'octodns', 'terraform'] as const;

const DKIM = 'k1._domainkey.x.test';
const BOUNCE = 'bounce.x.test';
const TOKEN: Row = ['x.test', 'TXT', 'google-site-verification=abc'];
const LONG_KEY = `v=DKIM1; k=rsa; p=${'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA'.repeat(8)}`;
const SPF = 'v=spf1 include:y.test -all';

const add = (type: string, name: string, value: string, more: More = {}): Change => {
  const { priority = null, ...finding } = more;
  return { fix: { type, name, value, priority }, ...finding };
};
const replace = (type: string, name: string, value: string, more: More & { needs_decision?: true } = {}) => {
  const { needs_decision = false, ...rest } = more;
  const change = add(type, name, value, rest);
  return { ...change, fix: { ...change.fix, todo: 'Replace it.', needs_decision } };
};

export const SITUATIONS: readonly FileSituation[] = [
  {
    id: 'a CNAME is missing',
    published: [],
    changes: [add('CNAME', DKIM, 'k1.dkim.y.test')],
    in: ALL,
    after: [[DKIM, 'CNAME', 'k1.dkim.y.test']],
  },
  {
    id: 'an SPF record is missing next to another text at the apex',
    published: [TOKEN],
    changes: [add('TXT', 'x.test', SPF, { found: [String(TOKEN[2])] })],
    in: ALL,
    after: [TOKEN, ['x.test', 'TXT', SPF]],
  },
  {
    id: 'an SPF record is replaced, and only that',
    published: [TOKEN, ['x.test', 'TXT', 'v=spf1 include:own.test ~all']],
    changes: [replace('TXT', 'x.test', 'v=spf1 include:own.test include:y.test ~all')],
    in: SETS,
    after: [TOKEN, ['x.test', 'TXT', 'v=spf1 include:own.test include:y.test ~all']],
  },
  {
    id: 'one SPF record replaces several, one of them with quotes',
    published: [TOKEN, ['x.test', 'TXT', 'v=spf1 a -all'], ['x.test', 'TXT', '"v=spf1 mx -all"']],
    changes: [replace('TXT', 'x.test', 'v=spf1 a mx -all')],
    in: ['nsupdate', 'terraform'],
    after: [TOKEN, ['x.test', 'TXT', 'v=spf1 a mx -all']],
  },
  {
    id: 'one of several SPF records is the right one',
    published: [
      ['x.test', 'TXT', SPF],
      ['x.test', 'TXT', 'v=spf1 -all'],
    ],
    changes: [replace('TXT', 'x.test', SPF)],
    in: SETS,
    after: [['x.test', 'TXT', SPF]],
  },
  {
    id: 'a key of more than 255 bytes is missing',
    published: [],
    changes: [add('TXT', DKIM, LONG_KEY)],
    in: ALL,
    after: [[DKIM, 'TXT', LONG_KEY]],
  },
  {
    id: 'a long key, split at any place, is replaced',
    published: [[DKIM, 'TXT', [LONG_KEY.slice(0, 100), `${LONG_KEY.slice(100, 290)}AB`]]],
    changes: [replace('TXT', DKIM, LONG_KEY)],
    in: ['nsupdate', 'octodns'],
    after: [[DKIM, 'TXT', LONG_KEY]],
    says: /in such strings/,
  },
  {
    id: 'a short text in two strings is replaced',
    published: [TOKEN, ['x.test', 'TXT', ['v=spf1 include:own', '.test ~all']]],
    changes: [replace('TXT', 'x.test', SPF)],
    in: ['nsupdate', 'octodns'],
    after: [TOKEN, ['x.test', 'TXT', SPF]],
  },
  {
    id: 'a text in a string and an empty one is replaced',
    published: [['x.test', 'TXT', ['v=spf1 -all', '']]],
    changes: [replace('TXT', 'x.test', SPF)],
    in: ['nsupdate', 'octodns'],
    after: [['x.test', 'TXT', SPF]],
  },
  {
    id: 'an SPF record is missing next to a long text',
    published: [['x.test', 'TXT', ['t='.padEnd(200, 'a'), 'b'.repeat(100)]]],
    changes: [add('TXT', 'x.test', SPF)],
    in: ALL,
    after: [
      ['x.test', 'TXT', ['t='.padEnd(200, 'a'), 'b'.repeat(100)]],
      ['x.test', 'TXT', SPF],
    ],
  },
  {
    id: 'a text with quotes and backslashes',
    published: [],
    changes: [add('TXT', 'x.test', 'say "hi" \\o/ or \'hi\'')],
    in: ['zone', 'nsupdate', 'dnscontrol', 'terraform'],
    after: [['x.test', 'TXT', 'say "hi" \\o/ or \'hi\'']],
    says: /octoDNS can't hold/,
  },
  {
    id: 'a text that is in quotes',
    published: [],
    changes: [add('TXT', 'x.test', '"quoted"')],
    in: ['zone', 'nsupdate', 'dnscontrol', 'terraform'],
    after: [['x.test', 'TXT', '"quoted"']],
  },
  {
    id: 'other letters, byte by byte',
    published: [],
    changes: [add('TXT', 'x.test', 'é😀')],
    in: ['zone', 'nsupdate', 'dnscontrol', 'terraform'],
    after: [['x.test', 'TXT', 'é😀']],
  },
  {
    id: 'a byte that may be text',
    published: [],
    changes: [add('TXT', 'x.test', 'a\\200b')],
    in: [],
    after: [],
    says: /can't be written with certainty/,
  },
  {
    id: 'semicolons, which begin comments elsewhere',
    published: [],
    changes: [add('TXT', '_dmarc.x.test', "v=DMARC1; p=none; rua=mailto:it's@x.test")],
    in: ALL,
    after: [['_dmarc.x.test', 'TXT', "v=DMARC1; p=none; rua=mailto:it's@x.test"]],
  },
  {
    id: 'macros of SPF, which are templates elsewhere',
    published: [],
    changes: [add('TXT', BOUNCE, 'v=spf1 exists:%{i}._spf.y.test ${a} -all')],
    in: ALL,
    after: [[BOUNCE, 'TXT', 'v=spf1 exists:%{i}._spf.y.test ${a} -all']],
  },
  {
    id: 'an MX is missing',
    published: [],
    changes: [add('MX', BOUNCE, 'feedback.y.test', { priority: 20 })],
    in: ALL,
    after: [[BOUNCE, 'MX', '20 feedback.y.test']],
  },
  {
    id: 'an MX without a priority is missing',
    published: [],
    changes: [add('MX', BOUNCE, 'feedback.y.test')],
    in: ALL,
    after: [[BOUNCE, 'MX', '10 feedback.y.test']],
  },
  {
    id: 'a null MX is replaced',
    published: [[BOUNCE, 'MX', '0 .']],
    changes: [replace('MX', BOUNCE, 'feedback.y.test', { priority: 10 })],
    in: SETS,
    after: [[BOUNCE, 'MX', '10 feedback.y.test']],
  },
  {
    id: 'an MX is missing, and another listed one stays',
    published: [[BOUNCE, 'MX', '10 a.y.test']],
    changes: [
      add('MX', BOUNCE, 'b.y.test', { priority: 20, found: ['10 a.y.test'] }),
      { fix: { type: 'MX', name: BOUNCE, value: 'a.y.test' }, result: 'ok', expected: '10 a.y.test' },
    ],
    in: ALL,
    after: [
      [BOUNCE, 'MX', '10 a.y.test'],
      [BOUNCE, 'MX', '20 b.y.test'],
    ],
  },
  {
    id: 'an MX that somebody may still need',
    published: [
      [BOUNCE, 'MX', '10 feedback.y.test'],
      [BOUNCE, 'MX', '20 own.x.test'],
    ],
    changes: [
      replace('MX', BOUNCE, 'feedback.y.test', {
        priority: 10,
        needs_decision: true,
      }),
    ],
    in: [],
    after: [
      [BOUNCE, 'MX', '10 feedback.y.test'],
      [BOUNCE, 'MX', '20 own.x.test'],
    ],
    says: /Only you can decide this\.\n.*There now: MX 20 own\.x\.test/,
  },
  {
    id: 'an international name',
    published: [],
    changes: [add('CNAME', 'bücher.x.test', 'bücher.y.test')],
    in: ALL,
    after: [['xn--bcher-kva.x.test', 'CNAME', 'xn--bcher-kva.y.test']],
  },
  {
    id: 'a CNAME goes for a text',
    published: [[BOUNCE, 'CNAME', 'old.y.test']],
    changes: [replace('TXT', BOUNCE, SPF)],
    in: ['nsupdate', 'octodns'],
    after: [[BOUNCE, 'TXT', SPF]],
    says: /Delete the records of other types/,
  },
  {
    id: 'a text goes for a CNAME',
    published: [[DKIM, 'TXT', 'k1.dkim.y.test']],
    changes: [replace('CNAME', DKIM, 'k1.dkim.y.test', { code: 'WRONG_TYPE' })],
    in: ['nsupdate', 'octodns'],
    after: [[DKIM, 'CNAME', 'k1.dkim.y.test']],
  },
  {
    id: 'addresses that somebody may use instead of a CNAME',
    published: [['go.x.test', 'A', '192.0.2.1']],
    changes: [
      replace('CNAME', 'go.x.test', 'go.y.test', {
        code: 'OTHER_TYPE_AT_NAME',
        needs_decision: true,
      }),
    ],
    in: [],
    after: [['go.x.test', 'A', '192.0.2.1']],
  },
  {
    id: 'a CNAME has another target, in other letters',
    published: [[DKIM, 'CNAME', 'K9.dkim.Y.test']],
    changes: [replace('CNAME', `${DKIM}.`, 'k1.dkim.y.test.', { found: ['k9.dkim.y.test'] })],
    in: SETS,
    after: [[DKIM, 'CNAME', 'k1.dkim.y.test']],
  },
  {
    id: 'a record was created with the zone twice in its name',
    published: [[`${BOUNCE}.x.test`, 'MX', '10 feedback.y.test']],
    changes: [
      add('MX', BOUNCE, 'feedback.y.test', { priority: 10, code: 'NAME_DOUBLED', found: ['10 feedback.y.test'] }),
    ],
    in: ALL,
    after: [[BOUNCE, 'MX', '10 feedback.y.test']],
    says: /Delete: bounce\.x\.test\.x\.test\. IN MX 10 feedback\.y\.test\./,
  },
  {
    id: 'an MX was created at the domain itself',
    published: [
      ['x.test', 'MX', '5 own.x.test'],
      ['x.test', 'MX', '10 feedback.y.test'],
    ],
    changes: [
      add('MX', BOUNCE, 'feedback.y.test', {
        priority: 10,
        code: 'MX_AT_DOMAIN',
        found: ['5 own.x.test', '10 feedback.y.test'],
      }),
    ],
    in: ALL,
    after: [
      ['x.test', 'MX', '5 own.x.test'],
      [BOUNCE, 'MX', '10 feedback.y.test'],
    ],
    says: /Delete: x\.test\. IN MX 10 feedback\.y\.test\./,
  },
  {
    id: 'a text of 300 bytes, and a second one at the same name',
    published: [TOKEN],
    changes: [add('TXT', 'x.test', 't'.repeat(300)), add('TXT', 'x.test', 'second')],
    in: ALL,
    after: [TOKEN, ['x.test', 'TXT', 't'.repeat(300)], ['x.test', 'TXT', 'second']],
  },
  {
    id: 'a text that is cut into strings within a letter',
    published: [],
    changes: [add('TXT', 'x.test', 'é'.repeat(150))],
    in: ['zone', 'nsupdate', 'dnscontrol', 'terraform'],
    after: [['x.test', 'TXT', 'é'.repeat(150)]],
  },
  {
    id: 'an address is replaced',
    published: [['a.x.test', 'A', '192.0.2.1']],
    changes: [replace('A', 'a.x.test', '192.0.2.2')],
    in: SETS,
    after: [['a.x.test', 'A', '192.0.2.2']],
  },
  {
    id: 'an IPv6 address is missing',
    published: [],
    changes: [add('AAAA', 'b.x.test', '2001:db8::1')],
    in: ALL,
    after: [['b.x.test', 'AAAA', '2001:db8::1']],
  },
  {
    id: 'a corrupted text is replaced',
    published: [['t.x.test', 'TXT', 'token=“1”']],
    changes: [replace('TXT', 't.x.test', 'token=1', { code: 'SPOILT_CHARACTERS' })],
    in: ['nsupdate', 'terraform'],
    after: [['t.x.test', 'TXT', 'token=1']],
  },
  {
    id: 'which text is the corrupted one is not certain',
    published: [TOKEN, ['x.test', 'TXT', 'token=“1”']],
    changes: [replace('TXT', 'x.test', 'token=1', { code: 'SPOILT_CHARACTERS' })],
    in: [],
    after: [TOKEN, ['x.test', 'TXT', 'token=“1”']],
    says: /isn't certain/,
  },
  {
    id: 'a text that may be part of SPF',
    published: [['x.test', 'TXT', 'include:own.test']],
    changes: [add('TXT', 'x.test', SPF)],
    in: [],
    after: [['x.test', 'TXT', 'include:own.test']],
    says: /isn't certain/,
  },
  {
    id: 'what works is optional',
    published: [[BOUNCE, 'MX', '20 feedback.y.test']],
    changes: [replace('MX', BOUNCE, 'feedback.y.test', { priority: 10, result: 'warn' })],
    in: [],
    after: [[BOUNCE, 'MX', '20 feedback.y.test']],
    says: /only a warning/,
  },
  {
    id: 'a proxy answers',
    published: [['go.x.test', 'A', '192.0.2.1']],
    changes: [replace('CNAME', 'go.x.test', 'go.y.test', { code: 'PROXIED_CLOUDFLARE' })],
    in: [],
    after: [['go.x.test', 'A', '192.0.2.1']],
  },
];
