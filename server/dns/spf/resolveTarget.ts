import { foldCase } from '../names.ts';
import { singleAddress } from './addressSet.ts';
import type { SpfRun } from './evaluation.ts';
import { expand, lettersOf, type MacroString } from './macroString.ts';
import type { LookUpMechanism, Redirect } from './parseSpf.ts';
import { truncateName, NAME_MAX } from './targetName.ts';
import { formatDottedAddress, validatedNames } from './validatedNames.ts';

/**
 * The name that a term queries, in the record of `domain`; null when it depends on the message. `key` is equal for
 * terms with the same meaning.
 */
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

/** Characters of a name with the dots around it, of which one is removed later. */
const ENOUGH = NAME_MAX + 2;

async function expandTarget(run: SpfRun, domain: string, macros: MacroString): Promise<string | null> {
  const letters = lettersOf(macros);
  if (letters.length === 0) return expand(macros, new Map(), ENOUGH);
  return expand(macros, await readMacroValues(run, domain, letters.includes('p')), ENOUGH);
}

/** The known values of macros (RFC 7208, section 7.2). */
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
