import { isIP } from 'node:net';
import { EMAIL_MAX } from '#contract/members.ts';
import type { DestinationKind } from '#contract/notifications.ts';
import { isWithin, normalizeDnsName } from '#contract/values/dnsName.ts';
import type { Scope } from '../database/scope.ts';
import { isSpecialUse } from '../dns/wire/specialUse.ts';
import type { Senders } from './sendMessage.ts';

/** Why an address can't be a destination, in a sentence; null if it can. */
export function findDestinationError(
  scope: Scope,
  { kind, address }: { kind: DestinationKind; address: string },
  senders: Senders,
): Promise<string | null> {
  return kind === 'webhook'
    ? Promise.resolve(findUrlError(address, senders))
    : findMailError(scope, address, senders.mailer?.from ?? null);
}

function findUrlError(address: string, { isAllowed }: Senders): string | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return 'address must be a URL like https://hooks.example.com/.';
  if (url.username !== '' || url.password !== '') return 'address must not contain a user name or password.';
  if (url.hash !== '') return 'address must not have a fragment (#).';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const isAllowedAddress = isIP(host) !== 0 && isAllowed(host);
  if (url.protocol === 'http:' && !isAllowedAddress) return 'address must begin with https://.';
  const isReachable = isIP(host) === 0 || !isSpecialUse(host) || isAllowedAddress;
  return isReachable ? null : 'address must be public, or in WEBHOOK_PRIVATE_ADDRESSES.';
}

/** Without quotes, comments and groups (RFC 5322, 3.2.3 and RFC 6532), so that everybody reads it in the same way. */
const LOCAL_PART = /^[\w.!#$%&'*+/=?^`{|}~\u0080-\u{10ffff}-]+@[^@]+$/u;

const hostOf = (mail: string) => normalizeDnsName(mail.slice(mail.lastIndexOf('@') + 1));

/** Mail about a domain's broken mail must not need that domain. */
async function findMailError(scope: Scope, address: string, from: string | null): Promise<string | null> {
  if (from === null) return 'This service sends no mail: SMTP_URL is not set.';
  if (address.length > EMAIL_MAX || !LOCAL_PART.test(address) || hostOf(address) === null)
    return 'address must be a mail address.';
  const watched = await scope.select('domains').select('name').execute();
  const names = watched.flatMap(({ name }) => normalizeDnsName(name) ?? []);
  const isWatched = (mail: string) => {
    const host = hostOf(mail);
    return host !== null && names.some((name) => isWithin(host, name));
  };
  if (isWatched(address)) return 'address is in a domain that is watched here: you would miss its failure.';
  return isWatched(from) ? 'MAIL_FROM is in a domain that is watched here: mail would fail with it.' : null;
}
