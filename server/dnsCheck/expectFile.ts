import * as z from 'zod/mini';
import { ReadableDnsRecord } from '#contract/domain.ts';
import { CommandError } from '../terminal/commandError.ts';
import { toPrintable } from '../terminal/printable.ts';
import type { SendingDomain } from '../dns/expectedRecord.ts';
import { readText } from './readText.ts';
import { parseZone } from './zoneText.ts';

const Records = z.array(ReadableDnsRecord);
const ExpectedDomain = z.object({
  name: z.string(),
  mail_from_domain: z.catch(z.nullable(z.string()), null),
  // Required, to tell a domain from a record, which also has a name.
  dns: z.nullable(Records),
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

/**
 * Reads the expected domains: one or a list as the interface has them, the records of `domain`, or a zone file. Throws
 * `CommandError`.
 */
export async function readExpectFile(file: string, domain: string | null): Promise<SendingDomain[]> {
  const content = await readText(file);
  if (!/^\s*[[{]/.test(content)) return [parseZone(content, domain)];
  const value = parseJson(content, file);
  const domains = z.safeParse(Domains, value);
  if (domains.success && !isEmptyList(value)) return domains.data;
  const records = z.safeParse(Records, value);
  if (!records.success) {
    throw new CommandError(
      `${toPrintable(file, 200)} holds neither domains nor DNS records as the interface gives them.`,
    );
  }
  if (domain === null) throw new CommandError('Name the domain that the records are for with --domain.');
  return [{ name: domain, mail_from_domain: null, dns: records.data }];
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

function parseJson(content: string, file: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    throw new CommandError(`${toPrintable(file, 200)} begins like JSON, but it is not.`);
  }
}
