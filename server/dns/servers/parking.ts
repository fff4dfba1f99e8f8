// Companies whose name servers give every name of an unused domain the same address.

const PARKING =
  /(^|[.-])(sedoparking|parkingcrew|bodis|above|dan|afternic|undeveloped|uniregistrymarket|parklogic|voodoo|namedrive|ztomy|smartname|hugedomains\w*|cashparking|parkpage|domainparking\w*|parking\w*|parked\w*)\.[a-z.]+$/;

/** Labels in the names of name servers that registrars set for expired or suspended domains. */
const EXPIRED =
  /(^|-)(pendingrenewaldeletion|renewyourname|failed-whois-verification|verify-contact-details)$|(^|-)(expired|suspended)|expired$|redemption/;

export function detectParking(serverNames: readonly string[]): 'expired' | 'parked' | null {
  if (
    serverNames.some((name) =>
      name
        .split('.')
        .slice(0, -1)
        .some((label) => EXPIRED.test(label)),
    )
  )
    return 'expired';
  return serverNames.some((name) => PARKING.test(name)) ? 'parked' : null;
}
