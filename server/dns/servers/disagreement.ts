import { operatorOf } from '../conversation/delegation.ts';

export type ZoneCopy = {
  server: string;
  isRight: boolean;
  primary: string | null;
  serial: number | null;
};

/**
 * Why name servers of one zone differ. `transfer`: a transfer is due, or the versions don't show it. `hosts`: the wrong
 * servers belong to another DNS host, which gets no transfers from the right ones. `primary`: the wrong servers have the
 * newer version, or are the source of the others, so a transfer would spread the error. `at`: where to correct it.
 */
export type Disagreement =
  | { kind: 'transfer'; isDue: boolean }
  | { kind: 'hosts'; at: readonly string[] }
  | { kind: 'primary'; at: readonly string[] };

export function classifyDisagreement(copies: readonly ZoneCopy[]): Disagreement {
  const right = copies.filter(({ isRight }) => isRight);
  const wrong = copies.filter(({ isRight }) => !isRight);
  const apart = wrong.filter((one) => right.every((other) => areIndependent(one, other, wrong)));
  if (apart.length > 0) return { kind: 'hosts', at: namesOf(apart) };
  // Versions of zones with different sources cannot be compared.
  const ofSource = ({ primary }: ZoneCopy) => right.filter((other) => other.primary === primary);
  const ahead = wrong.filter((one) =>
    ofSource(one).some((other) => one.primary === one.server || isNewer(one.serial, other.serial)),
  );
  if (ahead.length > 0) {
    const primaries = wrong.filter(({ primary, server }) => primary === server);
    return { kind: 'primary', at: namesOf(primaries.length > 0 ? primaries : ahead) };
  }
  const isDue = wrong.every((one) => ofSource(one).some((other) => isNewer(other.serial, one.serial)));
  return { kind: 'transfer', isDue };
}

/**
 * Whether two servers have zones of their own. A secondary at another host has the primary of its source. Its version is
 * older until it is up to date; with the same version it may be a single faulty server, but not several.
 */
function areIndependent(one: ZoneCopy, other: ZoneCopy, wrong: readonly ZoneCopy[]): boolean {
  const operator = operatorOf(one.server);
  if (operator === operatorOf(other.server) || one.serial === null || other.serial === null) return false;
  const isSeveral = wrong.filter(({ server }) => operatorOf(server) === operator).length > 1;
  return one.primary !== other.primary || (one.serial === other.serial && isSeveral);
}

/** Whether `serial` comes after `other` in serial number arithmetic (RFC 1982, section 3.2). */
function isNewer(serial: number | null, other: number | null): boolean {
  if (serial === null || other === null) return false;
  const ahead = (serial - other + 2 ** 32) % 2 ** 32;
  return ahead > 0 && ahead < 2 ** 31;
}

function namesOf(copies: readonly ZoneCopy[]): string[] {
  return copies.map(({ server }) => server).toSorted();
}
