import { foldDomainName } from './domainRow.ts';

/** Whether `name` is reserved for documentation and tests, so that it is not in the public DNS (RFC 2606, RFC 6761). */
export function isReservedName(name: string): boolean {
  return /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/.test(foldDomainName(name));
}
