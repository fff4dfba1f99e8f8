import type { DnsResponse, Query } from '../wire/message.ts';
import type { Server, TransportErrorCode } from '../wire/transport.ts';

export type Exchange = {
  server: Server;
  query: Query;
  at: number;
  answer: DnsResponse | TransportErrorCode | 'too many questions' | 'out of time';
  /** The timeout came early, with the end of the time for the domain: the server may only be slow. */
  isCutOff?: boolean;
};

/** The response of an exchange if it is usable: it has the record, or denies it. */
export function toUsableResponse(exchange: Exchange | null | undefined): DnsResponse | null {
  if (!exchange || !isAnswered(exchange)) return null;
  const response = exchange.answer as DnsResponse;
  return response.isTruncated || isNotInCharge(exchange.server, response) ? null : response;
}

export function findUsableResponse(exchanges: readonly Exchange[]): DnsResponse | null {
  return exchanges.map(toUsableResponse).find((response) => response !== null) ?? null;
}

export function classifyExchangeError({ server, answer }: Exchange): string {
  if (typeof answer === 'string') return answer;
  return ['NOERROR', 'NXDOMAIN'].includes(answer.rcode) && isNotInCharge(server, answer)
    ? 'not in charge'
    : answer.rcode;
}

/** Limits of the check, before the query was sent. They say nothing about the server. */
export const NOT_ASKED: readonly string[] = ['out of time', 'too many questions'];

/** Including errors of this machine's network. */
export const NOT_SENT: readonly string[] = ['no route', ...NOT_ASKED];

export function isAnswered({ answer }: Exchange): boolean {
  return typeof answer !== 'string' && ['NOERROR', 'NXDOMAIN'].includes(answer.rcode);
}

/** Whether a response is not authoritative, or a referral: resolvers do not accept it either. */
function isNotInCharge({ name }: Server, { referral, isAuthoritative }: DnsResponse): boolean {
  return referral !== null || (name !== null && !isAuthoritative);
}
