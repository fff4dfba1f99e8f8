import type { MessageKind } from '#contract/notifications.ts';

/** Milliseconds for which a message speaks for what else breaks by its cause: two checks of what was right, and some delay. */
const GROUP_OPEN_FOR = 2 * 60 * 60_000;

/** The message that tells a fault with others; `at`: when it was made, in milliseconds since the epoch. */
export type Teller = { uuid: string; at: number };

/** How a destination was told of a fault: by which message, and what that one speaks for. */
export type Told = { by: Teller; group: string };

/** A message about an incident, as in planMessages.ts. */
type ToldMessage = { kind: MessageKind; about: string; fault: string };

/** What a message speaks for: a cause or a domain, as broken or as unstable. */
export const groupOf = ({ kind, about }: Omit<ToldMessage, 'fault'>) => `${kind} ${about}`;

/** Records a message that was planned in what its destination was told by fault. `by` is null if it isn't told. */
export function recordTold(told: Map<string, Told>, message: ToldMessage, by: Teller | null): void {
  if (message.kind === 'incident_closed') told.delete(message.fault);
  else if (by !== null) told.set(message.fault, { by, group: groupOf(message) });
}

/** What a destination was told of and isn't over for it. Counts what lives, because a cause may have thousands of faults. */
export class ToldFaults {
  readonly #isAccepted: (fault: string) => boolean;
  readonly #faults = new Map<string, Told>();
  /** How many faults that nobody accepts a message speaks for. */
  readonly #living = new Map<string, number>();
  /** The messages of each group. */
  readonly #tellers = new Map<string, Map<string, Teller>>();

  constructor(told: ReadonlyMap<string, Told>, isAccepted: (fault: string) => boolean) {
    this.#isAccepted = isAccepted;
    for (const [fault, one] of told) this.add(fault, one);
  }

  find(fault: string): Told | undefined {
    return this.#faults.get(fault);
  }

  add(fault: string, told: Told): void {
    this.delete(fault);
    this.#faults.set(fault, told);
    this.#count(fault, told, 1);
    const tellers = this.#tellers.get(told.group) ?? new Map<string, Teller>();
    this.#tellers.set(told.group, tellers.set(told.by.uuid, told.by));
  }

  delete(fault: string): void {
    const told = this.#faults.get(fault);
    if (told === undefined) return;
    this.#faults.delete(fault);
    this.#count(fault, told, -1);
  }

  /** Whether a message speaks for a fault that nobody accepts. */
  isLiving({ uuid }: Teller): boolean {
    return (this.#living.get(uuid) ?? 0) > 0;
  }

  /**
   * The newest message of a group that speaks for what was found at `at` too; null if it takes another one. Without a cause
   * it speaks for what the same check found.
   */
  findOpen(group: string, hasCause: boolean, at: number): Teller | null {
    const tellers = [...(this.#tellers.get(group)?.values() ?? [])];
    // A clock that was ahead makes messages of the future.
    const open = tellers.filter(
      (one) => Math.abs(at - one.at) <= (hasCause ? GROUP_OPEN_FOR : 0) && this.isLiving(one),
    );
    return open.toSorted((one, other) => other.at - one.at)[0] ?? null;
  }

  #count(fault: string, { by }: Told, change: number): void {
    if (!this.#isAccepted(fault)) this.#living.set(by.uuid, (this.#living.get(by.uuid) ?? 0) + change);
  }
}
