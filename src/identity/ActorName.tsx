import { IconKey, IconUser } from '@tabler/icons-react';
import type { ReadableActor } from '#contract/change.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import classes from './ActorName.module.css';
import { describeActor } from './describeChange.ts';

const KINDS = { token: [IconKey, 'Token'], person: [IconUser, 'Person'] } as const;

/** Who did it, and whether that's a token or a person. */
export function ActorName({ actor }: { actor: ReadableActor }) {
  const [Icon, kind] = actor.kind === 'token' || actor.kind === 'person' ? KINDS[actor.kind] : [null, undefined];
  return (
    <span className={classes.actor} title={kind}>
      {Icon && <Icon size={14} stroke={1.75} aria-label={kind} role="img" />}
      <UntrustedText text={describeActor(actor)} />
    </span>
  );
}
