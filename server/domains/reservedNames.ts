import { foldDomainName } from './domainRow.ts';

/** Whether `name` is one that documents and tests may use: the public DNS knows nothing of it (RFC 2606, RFC 6761). */
export function isReservedName(name: string): boolean {
  return /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/.test(foldDomainName(name));
}
