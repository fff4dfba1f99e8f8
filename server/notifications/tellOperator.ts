import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { LeaseRateLimit } from '../database/rateLimitLeases.ts';
import type { Log } from '../settings/log.ts';
import type { Mailer } from './mail/mailer.ts';

/** Milliseconds between attempts: what is told about the network can keep mail from leaving. */
const PAUSE = 60_000;
const ATTEMPTS = 60;

/** Milliseconds in which several processes notice the same. */
const OUTAGE = 10 * 60_000;

/** `lease`: shared by all processes; null if there is only one. */
type OperatorDependencies = {
  mailer: Mailer | null;
  address: string | null;
  lease: LeaseRateLimit | null;
  log: Log;
  signal: AbortSignal;
};

/**
 * Tells the operator that no resolver responds, or that one does again: by the log and, if that's set, by mail, which one
 * of several processes sends. Never rejects.
 */
export async function tellOperator(
  { mailer, address, lease, log, signal }: OperatorDependencies,
  isDown: boolean,
): Promise<void> {
  log.error({}, isDown ? 'resolvers unreachable' : 'resolvers respond again');
  if (mailer === null || address === null || !(await isFirst(lease, isDown, log))) return;
  const mail = { to: address, subject: 'Sendroom: DNS resolvers', id: randomUUID(), replyTo: null };
  const text = isDown
    ? 'No DNS resolver responds to Sendroom. Domains can’t be checked, and keep their last state.\n\nIs port 53 open, UDP and TCP? Is DNS_SERVERS right?\n'
    : 'A DNS resolver responds to Sendroom again.\n';
  for (let attempt = 1; attempt <= ATTEMPTS && !signal.aborted; attempt++) {
    const outcome = await mailer.send({ ...mail, text }, signal);
    if (outcome.isDelivered) return;
    log.warn({ error: outcome.detail, attempt }, 'mail to the operator not sent');
    if (outcome.isFinal === true) return;
    await delay(PAUSE, null, { signal, ref: false }).catch(() => {});
  }
}

async function isFirst(lease: LeaseRateLimit | null, isDown: boolean, log: Log): Promise<boolean> {
  if (lease === null) return true;
  const key = `operator: resolvers ${isDown ? 'unreachable' : 'respond again'}`;
  try {
    return (await lease({ key, limit: 1, windowMs: OUTAGE, requested: 1 })).granted > 0;
  } catch (error) {
    log.warn({ err: error }, 'another process may send the same mail to the operator');
    return true;
  }
}
