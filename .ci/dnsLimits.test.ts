import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

// The table of limits in docs/dns-check.md against the constants of the check.

const SECONDS = 1000;
const MEBIBYTES = 1024 * 1024;

const sources = new Map(
  globSync(['server/{dns,cli/dnsCheck,cli/terminal}/**/*.ts', 'contract/domains/dnsCheck.ts'], {
    exclude: ['**/*.test.ts'],
  }).map((file) => [file.replace('server/', '').replace('.ts', ''), readFileSync(file, 'utf8')]),
);

/** The value of a constant, or of a key of one: `dns/conversation/dnsClient LIMITS.timeout`. */
function valueOf(place: string): number {
  const [file = '', path = ''] = place.split(' ');
  const [constant = '', key] = path.split('.');
  const written = new RegExp(String.raw`^(?:export )?const ${constant}\b[^=]*= ([^;]+);`, 'm').exec(
    sources.get(file) ?? '',
  )?.[1];
  const number = key === undefined ? written : new RegExp(String.raw`\b${key}: ([\d_]+)`).exec(written ?? '')?.[1];
  const factors = (number ?? '').replaceAll('_', '').replace(/n$/, '').split(' * ').map(Number);
  return factors.reduce((product, factor) => product * factor, 1);
}

type Row = [limit: string, text: string, places: [place: string, unit?: number][]];

// Each row: what it limits, and its cell in the table, with {} for the values of constants.
const ROWS: Row[] = [
  [
    'one query',
    '{} seconds (`--timeout`); over TCP half of that more',
    [['dns/conversation/dnsClient LIMITS.timeout', SECONDS]],
  ],
  [
    'one domain',
    '{} seconds (`--deadline`) and {} queries',
    [['dns/conversation/dnsClient LIMITS.deadline', SECONDS], ['dns/conversation/dnsClient LIMITS.questionsPerDomain']],
  ],
  [
    'one record',
    '{} queries; {} for SPF, because receivers themselves may take {} lookups for it; {} more to find and compare the name servers',
    [
      ['dns/conversation/dnsClient LIMITS.questionsPerRecord'],
      ['dns/checkDomain SPF_QUESTIONS_MAX'],
      ['dns/spf/evaluation/evaluateSpf LIMITS.lookUps'],
      ['dns/conversation/conversation SERVERS_QUESTIONS_MAX'],
    ],
  ],
  [
    'advice',
    '{} queries, {} for SPF, {} for the delegation, {} for what is watched; {} mail servers for DANE',
    [
      ['dns/advice QUESTIONS_MAX'],
      ['dns/advice SPF_QUESTIONS_MAX'],
      ['dns/advice DELEGATION_QUESTIONS_MAX'],
      ['dns/watch QUESTIONS_MAX'],
      ['dns/incoming/incomingAdvice HOSTS_MAX'],
    ],
  ],
  [
    'in flight',
    '{} queries, {} to one resolver and {} to one name server; {} domains',
    [
      ['dns/conversation/dnsClient IN_FLIGHT_MAX'],
      ['dns/conversation/dnsClient IN_FLIGHT_TO_RESOLVER_MAX'],
      ['dns/conversation/dnsClient IN_FLIGHT_TO_ONE_MAX'],
      ['cli/dnsCheck/checkRounds DOMAINS_AT_ONCE'],
    ],
  ],
  [
    'name servers of a zone',
    '{}, one address each; {} of them over TCP as well; {} referrals from a zone to the next; {} queries for those that only the registrar lists',
    [
      ['dns/conversation/conversation SERVERS_MAX'],
      ['dns/compareWithResolvers OVER_TCP_MAX'],
      ['dns/conversation/conversation REFERRALS_MAX'],
      ['dns/conversation/conversation ABOVE_QUESTIONS_MAX'],
    ],
  ],
  ['zone above a name', 'looked for at most {} labels up', [['dns/conversation/conversation ANCESTORS_MAX']]],
  ['aliases', '{} in a row', [['dns/cname/diagnoseAlias CHAIN_MAX']]],
  ['aliases', '{} in a row', [['dns/explainUnasked CHAIN_MAX']]],
  [
    'one response',
    '{} records in a section, {} in all, {} strings, 64 kB; {} compression pointers in a name',
    [
      ['dns/wire/message RECORDS_MAX'],
      ['dns/wire/message RECORDS_IN_ALL_MAX'],
      ['dns/wire/message STRINGS_MAX'],
      ['dns/wire/escapedNames POINTERS_MAX'],
    ],
  ],
  ['a name', '{} characters, {} in a label', [['dns/wire/names NAME_MAX'], ['dns/wire/names LABEL_MAX']]],
  [
    'SPF',
    '{} characters (receivers need not read more than 450); {} lookups, {} void ones, and {} hosts of a PTR (RFC 7208); a malformed record is read up to {} characters, {} terms and {} characters in one; an offer merges at most {} records, and leaves out terms in {} steps; of terms that allow everybody, {} are looked at',
    [
      ['dns/spf/evaluation/parseSpf RECORD_MAX'],
      ['dns/spf/evaluation/evaluateSpf LIMITS.lookUps'],
      ['dns/spf/evaluation/evaluateSpf LIMITS.voids'],
      ['dns/spf/evaluation/resolveTarget HOSTS_MAX'],
      ['dns/spf/repairSpf TEXT_MAX'],
      ['dns/spf/repairSpf WORDS_MAX'],
      ['dns/spf/repairSpf WORD_MAX'],
      ['dns/spf/offerSpf RECORDS_MAX'],
      ['dns/spf/offerSpf TRIES_MAX'],
      ['dns/spf/evaluation/openness OPENERS_MAX'],
    ],
  ],
  [
    'DKIM',
    'a text of at most {} characters, a key of at most {} bits',
    [['dns/dkim/judgeKey TEXT_MAX'], ['dns/dkim/readKeyMaterial RSA_BITS_MAX']],
  ],
  [
    'DMARC',
    'a text of at most {} characters; {} names up the tree; the first {} receivers of reports',
    [
      ['dns/dmarc/interpretDmarc TEXT_MAX'],
      ['dns/dmarc/treeWalk QUERIES_MAX'],
      ['dns/dmarc/adviseDmarc RECEIVERS_MAX'],
    ],
  ],
  ['other texts', 'a corrupted one is read up to {} characters', [['dns/text/detectCorruption TEXT_MAX']]],
  ['MX', 'more than {} are a warning', [['dns/mx/judgeMx MX_MAX']]],
  [
    'a finding',
    '{} values and {} responses, of {} bytes each, and {} bytes of values; in a sentence {} values of {} characters',
    [
      ['contract/domains/dnsCheck LIST_MAX'],
      ['contract/domains/dnsCheck LIST_MAX'],
      ['dns/finding/toFinding TEXT_MAX'],
      ['dns/finding/toFinding FOUND_MAX'],
      ['dns/finding/toFinding VALUES_IN_SENTENCE'],
      ['dns/finding/toFinding VALUE_IN_SENTENCE_MAX'],
    ],
  ],
  ['records listed at one name', '{} are compared with each other', [['dns/expectedRecord SIBLINGS_MAX']]],
  [
    'input',
    'a file of {} MiB, {} words in a line of a zone file; {} pages of a service, {} MiB each; `--confirm` {}',
    [
      ['cli/terminal/readText FILE_MAX', MEBIBYTES],
      ['cli/dnsCheck/zoneText WORDS_MAX'],
      ['cli/dnsCheck/fetchDomains PAGES_MAX'],
      ['cli/dnsCheck/fetchDomains PAGE_BYTES_MAX', MEBIBYTES],
      ['cli/dnsCheck/options CONFIRM_MAX'],
    ],
  ],
  [
    'output',
    'a line of `text` has {} characters, one with a value to enter {}; `github` has {} errors and {} warnings, and {} bytes of summary; `nagios` names {} records, in {} characters; an attribute of `junit` has {} characters, a label of `prometheus` {}',
    [
      ['cli/dnsCheck/formats/formatText LINE_MAX'],
      ['cli/dnsCheck/formats/formatText VALUE_LINE_MAX'],
      ['cli/dnsCheck/formats/formatGithub SHOWN_MAX'],
      ['cli/dnsCheck/formats/formatGithub SHOWN_MAX'],
      ['cli/dnsCheck/formats/formatGithub SUMMARY_MAX'],
      ['cli/dnsCheck/formats/formatNagios NAMED_MAX'],
      ['cli/dnsCheck/formats/formatNagios SENTENCE_MAX'],
      ['cli/dnsCheck/formats/formatJunit ATTRIBUTE_MAX'],
      ['cli/dnsCheck/formats/formatPrometheus LABEL_MAX'],
    ],
  ],
];

/** What is shown in a sentence, or a part of a format: nothing is decided by it. */
const SHOWN = /^(?:SHOWN|PIECE_SHOWN|NAMED|AFTER|ERROR|ERRORS|LISTED|TERM|TERMS|VOIDS|TITLE|CELL|NAME|LIST)_MAX$/;
/** Sizes of standards and of caches. */
const NO_LIMITS = [
  'dns/text/measureCut PIECES_MAX',
  'dns/wire/transport MESSAGE_MAX',
  'dns/spf/evaluation/memoizeByText TEXTS_MAX',
  'dns/dkim/judgeKey BITS_MAX',
  'cli/dnsCheck/duration MAX',
];

const [, table = ''] = /^## Limits$([^]*?)^## /m.exec(readFileSync('docs/dns-check.md', 'utf8')) ?? [];
const cells = new Map(
  [...table.matchAll(/^\| (.+?) \| (.+) \|$/gm)].map(([, limit = '', text = '']) => [limit, text] as const),
);

test.each(ROWS)('the limit of %s is the one in the document: %s', (limit, text, places) => {
  const values = places.map(([place, unit = 1]) => valueOf(place) / unit);
  const filled = text.split('{}').reduce((before, after, index) => {
    return `${before}${values[index - 1]?.toLocaleString('en')}${after}`;
  });
  expect(cells.get(limit)).toBe(filled);
});

test('every limit of the check is in the document', () => {
  const documented = new Set([...ROWS.flatMap(([, , places]) => places.map(([place]) => place)), ...NO_LIMITS]);
  const written = [...sources].flatMap(([file, text]) =>
    [...text.matchAll(/^(?:export )?const (\w*MAX)\b/gm)].flatMap(([, name = '']) =>
      SHOWN.test(name) && !documented.has(`${file} ${name}`) ? [] : [`${file} ${name}`],
    ),
  );
  expect(written.length).toBeGreaterThan(40);
  expect(written.filter((place) => !documented.has(place))).toEqual([]);
  expect(NO_LIMITS.filter((place) => !written.includes(place))).toEqual([]);
  expect([...cells.keys()].toSorted()).toEqual([...new Set(ROWS.map(([limit]) => limit))].toSorted());
});
