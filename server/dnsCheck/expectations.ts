import { CommandFailure } from '../admin/commandFailure.ts';
import { printable } from '../admin/printable.ts';
import type { SendingDomain } from '../dns/expectation.ts';
import { foldName } from '../dns/names.ts';
import { readExpectations } from './expectFile.ts';
import { fetchDomains } from './listedDomains.ts';
import type { Options } from './options.ts';
import { readText } from './readText.ts';

type Wanted = Pick<Options, 'expect' | 'baseUrl' | 'tokenFile' | 'domain'>;

/** What to check, by name. A job that checks nothing must not look like one that found nothing. Throws `CommandFailure`. */
export async function expectedDomains(options: Wanted): Promise<SendingDomain[]> {
  const { expect = '', baseUrl, domain: wanted } = options;
  const all =
    baseUrl === undefined
      ? await readExpectations(expect, wanted[0] ?? null)
      : await fetchDomains(baseUrl, await token(options));
  const isWanted = ({ name }: SendingDomain) =>
    wanted.length === 0 || wanted.some((one) => foldName(one) === foldName(name));
  const missing = wanted.find((one) => !all.some(({ name }) => foldName(name) === foldName(one)));
  if (missing !== undefined) throw new CommandFailure(`There is no domain ${printable(missing, 300)} to check.`);
  const domains = all.filter((domain) => isWanted(domain) && (domain.dns ?? []).length > 0);
  if (domains.length === 0) throw new CommandFailure('There are no records to check.');
  return domains.toSorted((one, other) => (one.name < other.name ? -1 : 1));
}

async function token({ tokenFile }: Wanted): Promise<string> {
  const given = tokenFile === undefined ? process.env['SENDROOM_TOKEN'] : await readText(tokenFile);
  const value = given?.trim() ?? '';
  if (value === '') throw new CommandFailure('Put the token into SENDROOM_TOKEN, or into a file for --token-file.');
  if (!/^[\x21-\x7e]+$/.test(value)) throw new CommandFailure('The token holds characters that no token has.');
  return value;
}
