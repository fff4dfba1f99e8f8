import type { Purpose } from './purpose.ts';

// What each receiver does with the mail of a zone, by the receivers' own pages. Written before the code.

/** `RESULT CODE` of each finding, by purpose. */
export type Codes = Partial<Record<Purpose, readonly string[]>>;

export const RIGHT: Codes = {
  dkim: ['ok MATCH', 'ok MATCH'],
  spf: ['ok MATCH'],
  mail_from: ['ok MATCH'],
  dmarc: ['ok DMARC_APPLIES'],
  alignment: ['ok ALIGNED'],
  soa: ['ok SOA_FOUND'],
  from_host: ['ok FROM_HOST_FOUND'],
};

const bogus = { dkim: ['fail DNSSEC_BOGUS'], spf: ['fail DNSSEC_BOGUS'], dmarc: ['warn DNSSEC_BOGUS'] };
const unasked = ['unknown NAMESERVERS_UNREACHABLE'];
const oneOfTwo = { dkim: ['ok MATCH', 'fail NAME_MISSING'] };
const noDkim = { dkim: ['fail NAME_MISSING', 'fail NAME_MISSING'] };
const noSpf = { spf: ['fail TEXT_MISSING'] };
/** No DKIM record and no MAIL FROM name: there is nothing to align. */
const nothingListed = { dkim: [], spf: [], mail_from: [], alignment: [] };
const noDmarc = { dmarc: ['warn DMARC_ABSENT'], alignment: [] };

/** The sentence, what differs from `RIGHT`, and the outcomes at Gmail, Yahoo, Outlook.com, Apple and GMX. */
export type Zone = readonly [sentence: string, changes: Codes, outcomes: string];

export const BULK_ZONES: readonly Zone[] = [
  ['Everything is right', {}, 'accepts accepts accepts accepts accepts'],
  [
    'No DMARC record: Gmail, Outlook.com and Apple refuse, Yahoo limits, and GMX asks for aligned DKIM alone',
    noDmarc,
    'refuses limits refuses refuses accepts',
  ],
  [
    'Two DMARC records are none',
    { dmarc: ['warn SEVERAL_DMARC'], alignment: [] },
    'refuses limits refuses refuses accepts',
  ],
  [
    'A DMARC record without a policy is none',
    { dmarc: ['warn DMARC_WITHOUT_POLICY'] },
    'refuses limits refuses refuses accepts',
  ],
  [
    'A DMARC record without a policy that asks for reports counts as p=none (RFC 9989, section 4.10.1)',
    { dmarc: ['warn DMARC_POLICY_IMPLIED'] },
    'accepts accepts accepts accepts accepts',
  ],
  [
    'The alias of a DMARC service that leads to no record is none',
    { dmarc: ['fail DMARC_ALIAS_EMPTY'], alignment: [] },
    'refuses limits refuses refuses accepts',
  ],
  [
    'A DMARC record at the domain itself is none',
    { dmarc: ['warn DMARC_AT_DOMAIN'] },
    'refuses limits refuses refuses accepts',
  ],
  [
    'A listed DMARC record whose policy nobody can read',
    { dmarc: ['fail DMARC_SYNTAX'] },
    'refuses limits refuses refuses accepts',
  ],
  [
    'A policy weaker than listed: nobody requires more than p=none',
    { dmarc: ['warn DMARC_WEAKER_THAN_LISTED'] },
    'accepts accepts accepts accepts accepts',
  ],
  [
    'Lost reports are no reason to refuse',
    { dmarc: ['warn DMARC_REPORTS_LOST'] },
    'accepts accepts accepts accepts accepts',
  ],
  [
    'The DMARC record of the parent applies',
    { dmarc: ['ok DMARC_INHERITED'] },
    'accepts accepts accepts accepts accepts',
  ],
  [
    'An ignored tag leaves the record valid',
    { dmarc: ['warn DMARC_TAG_UNREADABLE'] },
    'accepts accepts accepts accepts accepts',
  ],
  [
    'The listed DMARC record is missing, but another one applies',
    { dmarc: ['fail DMARC_MISSING', 'ok DMARC_APPLIES'] },
    'accepts accepts accepts accepts accepts',
  ],
  ['DMARC could not be asked', { dmarc: ['unknown NOT_ASKED'] }, 'unknown unknown unknown unknown accepts'],
  ['Open subdomains', { dmarc: ['warn DMARC_SUBDOMAINS_OPEN'] }, 'accepts accepts accepts accepts accepts'],
  [
    'Neither DKIM nor SPF is aligned: Apple asks for no alignment, GMX for that of DKIM',
    { alignment: ['warn NOT_ALIGNED'] },
    'refuses limits refuses accepts refuses',
  ],
  [
    'Aligned by DKIM alone is enough',
    { alignment: ['warn ALIGNED_BY_DKIM'] },
    'accepts accepts accepts accepts accepts',
  ],
  [
    'Aligned by SPF alone is not enough for GMX',
    { alignment: ['warn ALIGNED_BY_SPF'] },
    'accepts accepts accepts accepts refuses',
  ],
  [
    'Aligned by DKIM, whose keys are missing',
    { alignment: ['warn ALIGNED_BY_DKIM'], ...noDkim },
    'refuses limits refuses refuses refuses',
  ],
  [
    'Aligned by SPF, which is missing',
    { alignment: ['warn ALIGNED_BY_SPF'], ...noSpf },
    'refuses limits refuses refuses refuses',
  ],
  ['Alignment could not be asked', { alignment: unasked }, 'unknown unknown unknown accepts unknown'],
  ['All DKIM records are missing', noDkim, 'refuses limits refuses refuses refuses'],
  ['One of two DKIM records is missing: mail signed with it is lost', oneOfTwo, 'limits limits limits limits limits'],
  ['A DKIM key of less than 1024 bits', { dkim: ['fail DKIM_WEAK_KEY'] }, 'refuses limits refuses refuses refuses'],
  ['A DKIM key of 1024 bits', { dkim: ['warn DKIM_SHORT_KEY'] }, 'accepts accepts accepts accepts accepts'],
  [
    'Only an Ed25519 key, which some receivers cannot read',
    { dkim: ['warn DKIM_ED25519'] },
    'unknown unknown unknown unknown unknown',
  ],
  ['A DKIM key in test mode', { dkim: ['warn DKIM_TEST_MODE'] }, 'unknown unknown unknown unknown unknown'],
  ['A revoked DKIM key', { dkim: ['fail DKIM_REVOKED'] }, 'refuses limits refuses refuses refuses'],
  ['The key of another service', { dkim: ['fail SELECTOR_TAKEN'] }, 'refuses limits refuses refuses refuses'],
  [
    'The provider has no key at the target',
    { dkim: ['fail DKIM_KEY_MISSING'] },
    'refuses limits refuses refuses refuses',
  ],
  [
    'A DKIM record that has not spread yet',
    { dkim: ['pending CACHED_NEGATIVE'] },
    'unknown unknown unknown unknown unknown',
  ],
  ['DKIM could not be asked', { dkim: unasked }, 'unknown unknown unknown unknown unknown'],
  [
    'No DKIM record is listed: what signs the mail, and whether it is aligned, is not known',
    { dkim: [], alignment: ['warn DKIM_NOT_LISTED'] },
    'unknown unknown unknown unknown unknown',
  ],
  [
    'No DKIM record is listed, and SPF is missing',
    { dkim: [], ...noSpf, alignment: ['warn DKIM_NOT_LISTED'] },
    'refuses limits refuses refuses unknown',
  ],
  ['SPF is missing at the MAIL FROM name: GMX only recommends it', noSpf, 'refuses limits refuses refuses accepts'],
  ['SPF with too many lookups', { spf: ['fail SPF_TOO_MANY_LOOKUPS'] }, 'refuses limits refuses refuses accepts'],
  ['Two SPF records', { spf: ['warn SEVERAL_SPF'] }, 'refuses limits refuses refuses accepts'],
  ['SPF that allows everybody passes', { spf: ['fail SPF_ALLOWS_ALL'] }, 'accepts accepts accepts accepts accepts'],
  ['SPF that denies some of the senders', { spf: ['fail SPF_REFUSES_SENDERS'] }, 'limits limits limits limits accepts'],
  [
    'SPF without the include of the provider',
    { spf: ['warn SPF_WITHOUT_INCLUDE'] },
    'refuses limits refuses refuses accepts',
  ],
  ['SPF that ends with ?all passes', { spf: ['warn SPF_NEUTRAL_END'] }, 'accepts accepts accepts accepts accepts'],
  ['SPF with macros', { spf: ['unknown SPF_MACROS'] }, 'unknown unknown unknown unknown accepts'],
  [
    'No MAIL FROM name of its own: SPF is a matter of the provider',
    { spf: [], mail_from: [], alignment: ['warn ALIGNED_BY_DKIM'] },
    'accepts accepts accepts accepts accepts',
  ],
  ['Neither SPF nor DKIM', { ...noDkim, ...noSpf }, 'refuses refuses refuses refuses refuses'],
  ['No MX at the MAIL FROM name', { mail_from: ['warn MX_MISSING'] }, 'accepts accepts accepts accepts accepts'],
  ['No SOA: Yahoo finds no domain', { soa: ['warn SOA_NOT_FOUND'] }, 'accepts refuses accepts accepts accepts'],
  ['SOA could not be asked', { soa: unasked }, 'accepts unknown accepts accepts accepts'],
  [
    'Neither A nor MX of the From domain',
    { from_host: ['warn FROM_HOST_ABSENT'] },
    'accepts accepts accepts accepts refuses',
  ],
  [
    'The From domain accepts no mail (null MX), which Yahoo names too',
    { from_host: ['warn FROM_NULL_MX'] },
    'accepts refuses accepts accepts refuses',
  ],
  [
    'The MAIL FROM name accepts no mail (null MX), so a receiver can refuse its mail (RFC 7505, section 4.2)',
    { mail_from: ['fail NULL_MX'] },
    'accepts refuses accepts accepts accepts',
  ],
  ['A or MX could not be asked', { from_host: unasked }, 'accepts accepts accepts accepts unknown'],
  [
    'An expired domain has nothing',
    { dkim: ['fail DOMAIN_EXPIRED'], spf: ['fail DOMAIN_EXPIRED'], dmarc: ['warn DOMAIN_EXPIRED'], alignment: unasked },
    'refuses refuses refuses refuses refuses',
  ],
  ['Broken DNSSEC hides everything', bogus, 'refuses refuses refuses refuses refuses'],
  ['Two DNS hosts, and one has no DKIM', { dkim: ['fail DNS_HOSTS_DIFFER'] }, 'limits limits limits limits limits'],
  [
    'Nothing could be asked',
    { dkim: unasked, spf: unasked, dmarc: unasked, alignment: unasked, soa: unasked, from_host: unasked },
    'unknown unknown unknown unknown unknown',
  ],
  [
    'Nothing was checked',
    { dkim: [], spf: [], mail_from: [], dmarc: [], alignment: [], soa: [], from_host: [] },
    'unknown unknown unknown unknown unknown',
  ],
  [
    'Only the records are known, no advice',
    { dmarc: [], alignment: [], soa: [], from_host: [] },
    'unknown unknown unknown unknown unknown',
  ],
  [
    'No DMARC record, and DKIM could not be asked',
    { ...noDmarc, dkim: unasked },
    'refuses limits refuses refuses unknown',
  ],
  ['No DMARC record, and DKIM is missing', { ...noDmarc, ...noDkim }, 'refuses limits refuses refuses refuses'],
  [
    'DKIM is missing, and SPF could not be asked',
    { ...noDkim, spf: unasked },
    'refuses limits refuses refuses refuses',
  ],
  [
    'Nothing is listed, and a DMARC record applies: what signs the mail is not visible',
    nothingListed,
    'unknown unknown unknown unknown unknown',
  ],
  [
    'Nothing is listed, and there is no DMARC record, which is visible',
    { ...nothingListed, ...noDmarc },
    'refuses limits refuses refuses unknown',
  ],
];

export const OTHER_ZONES: readonly Zone[] = [
  ['Everything is right', {}, 'accepts accepts accepts accepts accepts'],
  ['No DMARC record: only bulk senders need one', noDmarc, 'accepts accepts accepts accepts accepts'],
  ['Nothing is listed', nothingListed, 'unknown unknown unknown unknown unknown'],
  [
    'Nothing is listed, and no DMARC record',
    { ...nothingListed, ...noDmarc },
    'unknown unknown unknown unknown unknown',
  ],
  [
    'Nothing is listed, and no SOA',
    { ...nothingListed, soa: ['warn SOA_NOT_FOUND'] },
    'unknown refuses unknown unknown unknown',
  ],
  ['SPF is missing, DKIM is right', noSpf, 'accepts accepts accepts accepts accepts'],
  ['DKIM is missing, SPF is right: GMX requires DKIM of everybody', noDkim, 'accepts accepts accepts accepts refuses'],
  ['Neither SPF nor DKIM', { ...noDkim, ...noSpf }, 'refuses refuses accepts accepts refuses'],
  ['Nothing is aligned', { alignment: ['warn NOT_ALIGNED'] }, 'accepts accepts accepts accepts refuses'],
  ['No SOA', { soa: ['warn SOA_NOT_FOUND'] }, 'accepts refuses accepts accepts accepts'],
  [
    'Neither A nor MX of the From domain',
    { from_host: ['warn FROM_HOST_ABSENT'] },
    'accepts accepts accepts accepts refuses',
  ],
  [
    'DKIM is missing, and SPF could not be asked',
    { ...noDkim, spf: unasked },
    'unknown unknown accepts accepts refuses',
  ],
  [
    'Nothing was checked',
    { dkim: [], spf: [], mail_from: [], dmarc: [], alignment: [], soa: [], from_host: [] },
    'unknown unknown unknown unknown unknown',
  ],
  ['DMARC could not be asked', { dmarc: ['unknown NOT_ASKED'] }, 'accepts accepts accepts accepts accepts'],
  ['One of two DKIM records is missing, SPF is right', oneOfTwo, 'accepts accepts accepts accepts limits'],
  ['One of two DKIM records is missing, and SPF', { ...oneOfTwo, ...noSpf }, 'limits limits accepts accepts limits'],
];
