import { situations, listedRecord, zone, ownZone, domainWithLines, judged, expectFix } from './zoneLines.ts';

export const mxSituations = situations({
  'mx-nothing-there': [
    'bounce.agate-goods.com has its SPF record but no MX. Add the MX; the TXT record stays.',
    domainWithLines('mx', 'agate-goods.com', []),
    {
      says: [/bounce\.agate-goods\.com/],
      neverSays: [/bounce\.agate-goods\.com does not exist/i],
      fix: expectFix('mx'),
    },
  ],
  'mx-as-text': [
    'The MX was published as a TXT record. Create an MX with it and delete that TXT record; SPF stays.',
    domainWithLines('mx', 'onyx-goods.com', ['bounce TXT "10 feedback.mailprovider.net"']),
    { fix: expectFix('mx') },
  ],
  'mx-target-is-an-alias': [
    'The MX is right. Its server is an alias, which the standard does not allow but most senders follow; the provider could change that.',
    feedbackAt('ruby-goods.com', 'rubypost.net', ['feedback CNAME in.rubypost.net.', 'in A 185.81.20.20']),
    { result: ['warn', 'ok'], code: 'MX_TARGET_IS_ALIAS', turn: ['provider', null], fix: null },
  ],
  'mx-at-the-domain-itself': [
    'The listed MX belongs at topaz-goods.com itself, where the mailboxes of the owner are. It would take their mail away. Ask the provider for a MAIL FROM below the domain.',
    {
      domain: 'topaz-goods.com',
      mailFrom: 'topaz-goods.com',
      records: [{ type: 'MX', name: 'topaz-goods.com', value: '10 feedback.mailprovider.net' }],
      zones: [ownZone('topaz-goods.com', ['mx', 'spf'], ['@ TXT "v=spf1 mx include:spf.mailprovider.net ~all"'])],
    },
    {
      result: 'fail',
      says: [/mx1\.topaz-goods\.com/, /inbound|incoming|receive|mailbox|take/i],
      neverSays: [/can stay/i],
      fix: null,
    },
  ],
});

/** A domain whose provider takes bounces at `feedback.` of its own zone. */
function feedbackAt(domain: string, provider: string, lines: readonly string[]) {
  const own = ownZone(domain, 'mx', [`bounce MX 10 feedback.${provider}.`]);
  const record = { ...listedRecord('mx', domain), value: `10 feedback.${provider}` };
  return judged(domain, record, [own, zone(provider, lines)]);
}
