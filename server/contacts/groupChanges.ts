import type { ActorColumns } from '../database/changeLog/author.ts';

/** A line of the log about a contact. */
type Line = ActorColumns & {
  number: number;
  action: string;
  created_at: number;
  run: string | null;
  /** Its UUID. */
  contact: string;
  fields: readonly string[];
  /** The days of lines are compared only. */
  day: number;
};

export type Group<Each extends Line> = {
  newest: Each;
  oldest: Each;
  count: number;
  contacts: ReadonlySet<string>;
  fields: string[];
};

const FIELDS_MAX = 20;

/**
 * What belongs together: a list, or what a person or program did on a day. What people did comes first, lists included, because only
 * people start them; of the same, the newest.
 */
export function groupChanges<Each extends Line>(lines: readonly Each[]): Group<Each>[] {
  const byKey = Map.groupBy(
    lines.toSorted((one, other) => other.number - one.number),
    ({ actor, run, action, day }) => JSON.stringify([actor, action, run ?? day]),
  );
  const groups = Array.from(byKey.values(), (members): Group<Each> => {
    const [newest, oldest] = [members.at(0), members.at(-1)];
    if (newest === undefined || oldest === undefined) throw new Error('A group has no lines.');
    return {
      newest,
      oldest,
      count: members.length,
      contacts: new Set(members.map(({ contact }) => contact)),
      fields: [...new Set(members.flatMap(({ fields }) => fields))].slice(0, FIELDS_MAX),
    };
  });
  return groups.toSorted(
    (one, other) => Number(isByPerson(other)) - Number(isByPerson(one)) || other.newest.number - one.newest.number,
  );
}

const isByPerson = ({ newest: { actor_kind, run } }: Group<Line>) => actor_kind === 'person' || run !== null;
