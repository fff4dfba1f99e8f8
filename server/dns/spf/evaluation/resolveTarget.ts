import { foldCase, isAskable, NAME_MAX } from '../../wire/names.ts';
import { singleAddress, isSubset, oneAddress } from './addressSet.ts';
import type { SpfRun } from './evaluation.ts';
import { expand, lettersOf, type MacroString } from './macroString.ts';
import type { LookUpMechanism, Redirect } from './parseSpf.ts';

/** Null when the name depends on the message. `key` is equal for terms with the same meaning. */
export async function resolveTarget(
  run: SpfRun,
  domain: string,
  term: LookUpMechanism | Redirect,
): Promise<{ key: string; target: string | null }> {
  const written = term.target === null ? domain : await expandTarget(run, domain, term.target);
  const isOpaque = written === null || (term.kind === 'ptr' && singleAddress(run.addresses) === null);
  const target = written === null ? null : foldCase(truncateName(written));
  const kind = term.kind === 'redirect' ? 'include' : term.kind;
  const bits = term.kind === 'a' || term.kind === 'mx' ? `/${term.bits4}//${term.bits6}` : '';
  return { key: `${kind}:${target ?? foldCase(term.written)}${bits}`, target: isOpaque ? null : target };
}

const ENOUGH = NAME_MAX + 2;

async function expandTarget(run: SpfRun, domain: string, macros: MacroString): Promise<string | null> {
  const letters = lettersOf(macros);
  if (letters.length === 0) return expand(macros, new Map(), ENOUGH);
  return expand(macros, await readMacroValues(run, domain, letters.includes('p')), ENOUGH);
}

async function readMacroValues(run: SpfRun, domain: string, isNamed: boolean): Promise<ReadonlyMap<string, string>> {
  const values = new Map([
    ['d', domain],
    ['o', run.domain],
  ]);
  if (run.sender !== null) {
    values.set('s', run.sender);
    values.set('l', run.sender.slice(0, run.sender.lastIndexOf('@')));
    values.set('o', run.sender.slice(run.sender.lastIndexOf('@') + 1));
  }
  if (run.helo !== null) values.set('h', run.helo);
  const bytes = singleAddress(run.addresses);
  if (bytes === null) return values;
  values.set('i', formatDottedAddress(bytes));
  values.set('v', bytes.length === 4 ? 'in-addr' : 'ip6');
  if (isNamed) values.set('p', await nameOfSender(run, domain, bytes));
  return values;
}

async function nameOfSender(run: SpfRun, domain: string, bytes: readonly number[]): Promise<string> {
  const { names } = await validatedNames(run, bytes);
  return (
    names.find((name) => name === domain) ?? names.find((name) => name.endsWith(`.${domain}`)) ?? names[0] ?? 'unknown'
  );
}

/** Whether SPF is evaluated for `name` (RFC 7208, section 4.3). */
export function isMultiLabel(name: string): boolean {
  return isAskable(name) && /^[!-~]+$/.test(name) && name.includes('.') && !name.endsWith(']');
}

/** Shortens an expanded name from the left, so that it fits (RFC 7208, section 7.3). */
export function truncateName(name: string): string {
  const text = name.replace(/\.$/, '');
  if (text.length <= NAME_MAX) return text;
  const dot = text.indexOf('.', text.length - NAME_MAX - 1);
  return text.slice((dot === -1 ? text.lastIndexOf('.') : dot) + 1);
}

/** Upper limit of PTR records, as of the hosts of "mx" (RFC 7208, section 4.6.4). */
export const HOSTS_MAX = 10;

/** The bytes of an IPv4 address, or the half bytes of an IPv6 address, joined by dots (RFC 7208, section 7.3). */
function formatDottedAddress(bytes: readonly number[]): string {
  if (bytes.length === 4) return bytes.join('.');
  return bytes.flatMap((byte) => [byte >> 4, byte & 15].map((half) => half.toString(16))).join('.');
}

/**
 * The validated names of an address: PTR names that resolve to it (RFC 7208, section 5.5). Failed queries are ignored.
 */
export async function validatedNames(
  run: SpfRun,
  bytes: readonly number[],
): Promise<{ names: string[]; isVoid: boolean }> {
  const isIpv4 = bytes.length === 4;
  const reversed = formatDottedAddress(bytes).split('.').toReversed().join('.');
  const { records } = await run.lookUp(`${reversed}.${isIpv4 ? 'in-addr' : 'ip6'}.arpa`, 'PTR');
  const names = (records ?? []).slice(0, HOSTS_MAX).map(({ value }) => value.toLowerCase().replace(/\.$/, ''));
  const validated = await Promise.all(
    names.filter(isAskable).map(async (name) => {
      const addresses = (await run.lookUp(name, isIpv4 ? 'A' : 'AAAA')).records ?? [];
      return addresses.some(({ value }) => isSubset(run.addresses, oneAddress(value))) ? [name] : [];
    }),
  );
  return { names: validated.flat(), isVoid: records?.length === 0 };
}
