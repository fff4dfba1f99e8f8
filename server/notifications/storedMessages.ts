import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Fix } from '#contract/dnsCheck.ts';
import { Rules } from '#contract/notifications.ts';
import { parseJson } from '#contract/values/json.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { IncidentMessage, IncidentMessageKind } from './planning/planMessages.ts';
import type { IncidentFacts } from './planning/rules.ts';

// What rows of destinations, messages and deliveries hold.

export type DestinationRow = Selectable<Tables['destinations']>;
export type MessageRow = Selectable<Tables['messages']>;
export type DeliveryRow = Selectable<Tables['deliveries']>;

/** As the part of a message that says what happened is stored. */
export type IncidentBody = IncidentFacts & {
  incident: string;
  domain: { uuid: string; name: string };
  subject: string;
  code: string;
  cause: string | null;
  /** The last check before it, and the first that found it. */
  right_until: string | null;
  failed_at: string;
  opened_at: string | null;
  closed_at: string | null;
  /** What the check said in words; null if the subject isn't there any more. */
  diagnosis: string | null;
  found: string[];
  fix: Fix | null;
  /** Names of receivers. */
  refused_by: string[];
};

export const rulesOf = ({ rules }: Pick<DestinationRow, 'rules'>) => JSON.parse(rules) as Rules;

/** Whether a destination can be asked for its rules. `npm run admin -- verify` names those that can't. */
export const areRulesReadable = ({ rules }: Pick<DestinationRow, 'rules'>) =>
  z.safeParse(Rules, parseJson(rules)).success;

export const incidentIn = ({ body }: Pick<MessageRow, 'body'>) => JSON.parse(body) as IncidentBody;

export function incidentMessageOf(row: Pick<MessageRow, 'uuid' | 'created_at' | 'kind' | 'body'>): IncidentMessage {
  const body = incidentIn(row);
  return {
    uuid: row.uuid,
    createdAt: row.created_at,
    kind: row.kind as IncidentMessageKind,
    incident: body.incident,
    fault: faultOf(body),
    cause: body.cause,
    about: body.cause ?? body.domain.uuid,
    facts: body,
  };
}

/** What `read` makes of the rows that can be read. `npm run admin -- verify` names the others. */
export function readEach<Row, Read>(rows: readonly Row[], read: (row: Row) => Read): Read[] {
  return rows.flatMap((row) => {
    try {
      return [read(row)];
    } catch {
      return [];
    }
  });
}

type FaultKey = Pick<IncidentBody, 'kind' | 'subject'> & { domain: { uuid: string } };

/** Identifies a fault, whatever the incident. */
export const faultOf = ({ domain, kind, subject }: FaultKey) => `${domain.uuid} ${kind} ${subject}`;
