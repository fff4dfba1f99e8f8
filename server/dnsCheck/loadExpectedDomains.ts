import { normalizeDnsName } from '#contract/dnsName.ts';
import { CommandError } from '../terminal/commandError.ts';
import type { SendingDomain } from '../dns/expectedRecord.ts';
import { readExpectFile } from './expectFile.ts';
import { fetchDomains } from './fetchDomains.ts';
import type { DnsCheckOptions } from './options.ts';
import { readText } from './readText.ts';

type DomainSource = Pick<DnsCheckOptions, 'expect' | 'baseUrl' | 'tokenFile' | 'domain'>;

/** The domains to check, ordered by name. Those not named by --domain may have no records. Throws `CommandError`. */
export async function loadExpectedDomains(options: DomainSource): Promise<SendingDomain[]> {
  const { expect = '', baseUrl, domain: wanted } = options;
  const all =
    baseUrl === undefined
      ? await readExpectFile(expect, wanted[0] ?? null)
      : await fetchDomains(baseUrl, await token(options));
  for (const name of wanted) {
    const named = all.filter((domain) => normalizeDnsName(domain.name) === name);
    if (named.length === 0) throw new CommandError(`There is no domain ${name} to check.`);
    if (!named.some(hasRecords)) throw new CommandError(`The domain ${name} has no records to check.`);
  }
  const domains = all.filter(({ name }) => wanted.length === 0 || wanted.includes(normalizeDnsName(name) ?? ''));
  // Checking nothing is an error.
  if (!domains.some(hasRecords)) throw new CommandError('There are no records to check.');
  return domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

/** Whether the domain lists records to check. */
export function hasRecords({ dns }: SendingDomain): boolean {
  return dns !== null && dns.length > 0;
}

async function token({ tokenFile }: DomainSource): Promise<string> {
  const text = tokenFile === undefined ? process.env['SENDROOM_TOKEN'] : await readText(tokenFile);
  const value = text?.trim() ?? '';
  if (value === '') throw new CommandError('Put the token into SENDROOM_TOKEN, or into a file for --token-file.');
  if (!/^[\x21-\x7e]+$/.test(value)) throw new CommandError('The token holds characters that no token has.');
  return value;
}
