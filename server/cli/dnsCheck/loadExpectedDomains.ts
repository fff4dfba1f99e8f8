import { normalizeDnsName } from '#contract/values/dnsName.ts';
import type { SendingDomain } from '../../dns/expectedRecord.ts';
import { fetchDomains } from './fetchDomains.ts';
import type { DnsCheckOptions } from './options.ts';
import { readText } from '../terminal/readText.ts';
import * as z from 'zod/mini';
import { ReadableDnsRecord } from '#contract/domains/domain.ts';
import { toPrintable } from '../terminal/printable.ts';
import { parseZone } from './zoneText.ts';
import { CommandError } from '../terminal/terminal.ts';

type DomainSource = Pick<DnsCheckOptions, 'expect' | 'baseUrl' | 'tokenFile' | 'domain' | 'notBulk'>;

/** The domains to check, ordered by name. Those not named by --domain may lack records. Throws `CommandError`. */
export async function loadExpectedDomains(options: DomainSource): Promise<SendingDomain[]> {
  const { expect = '', baseUrl, domain: wanted, notBulk = false } = options;
  const all =
    baseUrl === undefined
      ? await readExpectFile(expect, wanted[0] ?? null)
      : await fetchDomains(baseUrl, await readToken(options));
  for (const name of wanted) {
    const named = all.filter((domain) => normalizeDnsName(domain.name) === name);
    if (named.length === 0) throw new CommandError(`There is no domain ${name}.`);
    if (!named.some(hasRecords)) throw new CommandError(`The domain ${name} has no records to check.`);
  }
  const domains = all.filter(({ name }) => wanted.length === 0 || wanted.includes(normalizeDnsName(name) ?? ''));
  // Checking nothing is an error.
  if (!domains.some(hasRecords)) throw new CommandError('There are no records to check.');
  const sorted = domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  return notBulk ? sorted.map((domain) => ({ ...domain, sends_bulk: false })) : sorted;
}

export function hasRecords({ dns }: SendingDomain): boolean {
  return dns !== null && dns.length > 0;
}

export async function readToken({ tokenFile }: Pick<DomainSource, 'tokenFile'>): Promise<string> {
  const text = tokenFile === undefined ? process.env['SENDROOM_TOKEN'] : await readText(tokenFile);
  const value = text?.trim() ?? '';
  if (value === '') throw new CommandError('Set SENDROOM_TOKEN, or pass a file with --token-file.');
  if (!/^[\x21-\x7e]+$/.test(value)) throw new CommandError('The token contains invalid characters.');
  return value;
}

const Records = z.array(ReadableDnsRecord);
const ExpectedDomain = z.object({
  name: z.string(),
  mail_from_domain: z.catch(z.nullable(z.string()), null),
  // Required, because a record has a name too.
  dns: z.nullable(Records),
  sends_bulk: z.optional(z.boolean()),
});
const Domains = z.union([
  z.array(ExpectedDomain),
  z.pipe(
    z.object({ data: z.array(ExpectedDomain) }),
    z.transform(({ data }) => data),
  ),
  z.pipe(
    ExpectedDomain,
    z.transform((domain) => [domain]),
  ),
]);

/** Domains as the interface has them, the records of `domain`, or a zone file. Throws `CommandError`. */
async function readExpectFile(file: string, domain: string | null): Promise<SendingDomain[]> {
  const content = await readText(file);
  if (!/^\s*[[{]/.test(content)) return [parseZone(content, domain)];
  const value = parseJson(content, file);
  const domains = z.safeParse(Domains, value);
  if (domains.success && !isEmptyList(value)) return domains.data;
  const records = z.safeParse(Records, value);
  if (!records.success) {
    throw new CommandError(`${toPrintable(file, 200)} contains neither domains nor DNS records of the interface.`);
  }
  if (domain === null) throw new CommandError('Pass the domain of the records with --domain.');
  return [{ name: domain, mail_from_domain: null, dns: records.data }];
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(`${toPrintable(file, 200)} starts like JSON, but isn't valid.`);
  }
}
