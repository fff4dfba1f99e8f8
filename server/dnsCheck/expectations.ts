import { dnsName } from '#contract/dnsName.ts';
import { CommandFailure } from '../admin/commandFailure.ts';
import type { SendingDomain } from '../dns/expectation.ts';
import { readExpectations } from './expectFile.ts';
import { fetchDomains } from './listedDomains.ts';
import type { Options } from './options.ts';
import { readText } from './readText.ts';

type Wanted = Pick<Options, 'expect' | 'baseUrl' | 'tokenFile' | 'domain'>;

/** What to check, by name, of which domains that nobody named may have no records. Throws `CommandFailure`. */
export async function expectedDomains(options: Wanted): Promise<SendingDomain[]> {
  const { expect = '', baseUrl, domain: wanted } = options;
  const all =
    baseUrl === undefined
      ? await readExpectations(expect, wanted[0] ?? null)
      : await fetchDomains(baseUrl, await token(options));
  for (const name of wanted) {
    const named = all.filter((domain) => dnsName(domain.name) === name);
    if (named.length === 0) throw new CommandFailure(`There is no domain ${name} to check.`);
    if (!named.some(hasRecords)) throw new CommandFailure(`The domain ${name} has no records to check.`);
  }
  const domains = all.filter(({ name }) => wanted.length === 0 || wanted.includes(dnsName(name) ?? ''));
  // A job that checks nothing must not look like one that found nothing.
  if (!domains.some(hasRecords)) throw new CommandFailure('There are no records to check.');
  return domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

export function hasRecords({ dns }: SendingDomain): boolean {
  return dns !== null && dns.length > 0;
}

async function token({ tokenFile }: Wanted): Promise<string> {
  const given = tokenFile === undefined ? process.env['SENDROOM_TOKEN'] : await readText(tokenFile);
  const value = given?.trim() ?? '';
  if (value === '') throw new CommandFailure('Put the token into SENDROOM_TOKEN, or into a file for --token-file.');
  if (!/^[\x21-\x7e]+$/.test(value)) throw new CommandFailure('The token holds characters that no token has.');
  return value;
}
