import type { Rules } from '#contract/notifications.ts';
import type { Workspace } from '../../database/workspace.ts';
import type { Database } from '../../database/database.ts';
import type { ReceivedWebhook } from '../testReceiver.ts';
import type { StoredLook } from './looks.ts';
import type { Script } from './script.ts';

/** A fault that somebody accepted after so many looks at the domain, and when they took that back. */
export type AcceptedFault = {
  at: number;
  looks: number;
  domain: string;
  subject: string;
  code: string;
  found: readonly string[];
  until: number;
  takenBack: number | null;
};

export type RecordedDestination = { uuid: string; name: string; rules: Rules; createdAt: number };

export type ResolverEvent = 'started' | 'unreachable' | 'reachable' | 'told down' | 'told up';

/** What a run did, and what was seen of it from outside: all that a model may know. Times are milliseconds since the epoch. */
export type Recording = {
  start: number;
  /** By the UUID of the domain, in the order in which they were stored. */
  looks: Map<string, StoredLook[]>;
  /** When a domain got other records, after so many looks at it, and which subject left by that. */
  imports: { at: number; looks: number; domain: string; left: string }[];
  acceptances: AcceptedFault[];
  contactChanges: { at: number; contact: string; type: string }[];
  destinations: RecordedDestination[];
  /** When the jobs came by. */
  steps: number[];
  received: { at: number; to: string; id: string; body: ReceivedWebhook['body'] }[];
  kills: number[];
  /** What each process saw of our resolvers, and what it told the operator. */
  resolvers: { at: number; process: number; event: ResolverEvent; domain: string }[];
};

/** A run while it goes on. */
export type World = {
  script: Script;
  workspace: Workspace;
  /** For what people do. */
  db: Database;
  now: number;
  recording: Recording;
  /** By the index of the domain in the script. */
  domains: { uuid: string; name: string; selectors: string[] }[];
  contacts: { uuid: string; isSubscribed: boolean; isErased: boolean }[];
  receiverUrl: string;
};

export const minuteOf = ({ now, recording }: World) => (now - recording.start) / 60_000;
