import type { Finding } from '#contract/domains/dnsCheck.ts';
import type { Domain } from '#contract/domains/domain.ts';
import type { CheckedLine } from '../../domains/checks/checkedLine.ts';
import { checkDomain } from '../../dns/checkDomain.ts';
import { clientFor, type WorldState } from './world.ts';

/** What a look found about a subject. `found` is sorted. */
export type Seen = Pick<Finding, 'result' | 'code' | 'turn' | 'cause' | 'found'> & {
  kind: 'record' | 'advice' | 'watch';
  isGone: boolean;
};

/** A check that was stored. */
export type StoredLook = { at: number; seen: ReadonlyMap<string, Seen> };

const subjectOf = (line: CheckedLine) =>
  line.kind === 'record' ? `${line.record.type} ${line.record.name}` : line.about;

/** Each subject has one line in the zones of the script. */
export function seenIn(lines: readonly CheckedLine[]): ReadonlyMap<string, Seen> {
  return new Map(
    lines.map((line) => {
      const { result, code, turn, cause, found, confirmed_by } = line.finding;
      const seen = {
        kind: line.kind,
        result,
        code,
        turn,
        cause,
        found: found.toSorted(),
        isGone: confirmed_by?.is_gone === true,
      };
      return [subjectOf(line), seen];
    }),
  );
}

export type CheckedDomain = { domain: Domain; sendsBulk: boolean };

/** Checks domains whose DNS is in a state, each state once: the check itself takes ten times as long as the rest. */
export class Checker {
  readonly #known = new Map<string, Promise<CheckedLine[]>>();

  get states(): number {
    return this.#known.size;
  }

  check(state: WorldState, { domain, sendsBulk }: CheckedDomain): Promise<CheckedLine[]> {
    const listed = domain.dns.map(({ type, name, value }) => [type, name, value]);
    const key = JSON.stringify([state, listed, sendsBulk]);
    const known = this.#known.get(key) ?? run(state, { domain, sendsBulk });
    this.#known.set(key, known);
    return known;
  }
}

function run(state: WorldState, { domain, sendsBulk }: CheckedDomain): Promise<CheckedLine[]> {
  return Array.fromAsync(checkDomain(clientFor(state), { ...domain, sends_bulk: sendsBulk }, { onError: throwError }));
}

function throwError(error: unknown): never {
  throw error;
}
