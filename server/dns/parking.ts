// Companies whose name servers answer for domains that nobody uses: with a page of theirs, whatever is asked for.

/** Domains are sold or parked there. */
const PARKING =
  /(^|[.-])(sedoparking|parkingcrew|bodis|above|dan|afternic|undeveloped|uniregistrymarket|parklogic|voodoo|namedrive|ztomy|smartname|hugedomains\w*|cashparking|parkpage|domainparking\w*|parking\w*|parked\w*)\.[a-z.]+$/;

/** Registrars put these in the place of the owner's. */
const EXPIRED =
  /(^|[.-])(pendingrenewaldeletion|renewyourname|expired[\w-]*|[\w-]*expired|failed-whois-verification|verify-contact-details|suspended[\w-]*|[\w-]*redemption[\w-]*)\./;

/** What the name servers of a zone say about the domain; null when they say nothing special. */
export function detectParking(serverNames: readonly string[]): 'expired' | 'parked' | null {
  if (serverNames.some((name) => EXPIRED.test(name))) return 'expired';
  return serverNames.some((name) => PARKING.test(name)) ? 'parked' : null;
}
