import type { Actor } from '#contract/change.ts';
import type { SuppressionOrigin } from '#contract/suppressions/suppression.ts';
import type { Tables } from '../schema/tables.ts';
import type { Caller } from '../workspace.ts';

/** Who does something, with the name of that time. `subject` names a person at the provider of their account. */
export type LogActor = Actor & { subject: string | null };

/** Who does something, in which request and run. `origin`: where its unsubscribes come from, unless it says so. */
export type LogAuthor = {
  actor: LogActor;
  requestId: string | null;
  run: string | null;
  origin?: SuppressionOrigin;
};

const NOBODY = { uuid: null, name: null, email: null, subject: null };

/** A command of an operator, such as `npm run admin -- import`. */
export const COMMAND: LogAuthor = {
  actor: { kind: 'command', ...NOBODY },
  requestId: null,
  run: null,
  origin: 'import',
};

/** For what the service does without a request. */
export const SERVICE: LogAuthor = { actor: { kind: 'service', ...NOBODY }, requestId: null, run: null };

export function authorOf({ requestId, run = null, isSession = false, ...identity }: Caller): LogAuthor {
  const actor: LogActor =
    'token' in identity
      ? { ...NOBODY, kind: 'token', uuid: identity.token.uuid, name: identity.token.name }
      : { kind: 'person', ...identity.person };
  return { actor, requestId, run, origin: isSession ? 'support' : 'program' };
}

/** How lists find an actor: by UUID, else by kind. */
export const keyOf = ({ kind, uuid }: Pick<LogActor, 'kind' | 'uuid'>) => uuid ?? kind;

/** How a line of the log names who did it. */
export type ActorColumns = Pick<Tables['changes'], 'actor_kind' | 'actor' | 'actor_name' | 'actor_email'>;

export function actorIn({ actor_kind: kind, actor, actor_name: name, actor_email: email }: ActorColumns): Actor {
  return { kind, uuid: actor === kind ? null : actor, name, email };
}
