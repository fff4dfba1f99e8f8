import type { Selectable } from 'kysely';
import * as z from 'zod/mini';
import type { Fix } from '#contract/domains/dnsCheck.ts';
import { Rules } from '#contract/notifications.ts';
import { isObject, parseJson } from '#contract/values/json.ts';
import type { Tables } from '../database/schema/tables.ts';
import type { IncidentMessage, IncidentMessageKind } from './planning/planMessages.ts';
import type { IncidentFacts } from './planning/rules.ts';
import type { WebhookSecret } from './webhook/signWebhook.ts';

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

const Secrets = z.array(z.object({ secret: z.string(), ends_at: z.nullable(z.int()) }));

/** The secrets of a webhook, newest first; null if they can't be read. */
export const readSecrets = ({ secrets }: Pick<DestinationRow, 'secrets'>): WebhookSecret[] | null =>
  z.safeParse(Secrets, parseJson(secrets)).data ?? null;

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

/** Whether a message can be told. `npm run admin -- verify` names those that can't. */
export function isMessageReadable(row: Pick<MessageRow, 'incident_uuid' | 'body'>): boolean {
  if (!isObject(parseJson(row.body))) return false;
  return row.incident_uuid === null || readEach([incidentIn(row)], faultOf).length > 0;
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
