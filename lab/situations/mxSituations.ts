import {
  situations,
  listedRecord,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  judged,
  expectFix,
} from './zoneLines.ts';

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
  'mx-another-one-beside': [
    'Besides the MX of the provider there is mx1.basalt-goods.com. The provider accepts exactly one at this name: delete the other, or choose another name.',
    domainWithLines('mx', 'basalt-goods.com', ['bounce MX 10 feedback.mailprovider.net.', 'bounce MX 20 mx1']),
    { says: [/mx1\.basalt-goods\.com/] },
  ],
  'mx-is-an-address-with-the-domain': [
    'An address was entered as the server, and the DNS host appended the domain to it. An MX has to name a host.',
    domainWithLines('mx', 'jade-goods.com', ['bounce MX 10 185.70.42.9']),
    { says: [/185\.70\.42\.9/], fix: expectFix('mx') },
  ],
  'mx-as-text': [
    'The MX was published as a TXT record. Create an MX with it and delete that TXT record; SPF stays.',
    domainWithLines('mx', 'onyx-goods.com', ['bounce TXT "10 feedback.mailprovider.net"']),
    { fix: expectFix('mx') },
  ],
  'mx-behind-an-alias': [
    'bounce.opal-goods.com is an alias of the website, so no MX can stand there. The CNAME has to be replaced by the MX; SPF can only be added then.',
    domainInZones('mx', 'opal-goods.com', [ownZone('opal-goods.com', ['mx', 'spf'], ['bounce CNAME www'])]),
    { says: [/CNAME|alias/], fix: expectFix('mx', { todo: /CNAME/ }) },
  ],
  'mx-target-does-not-exist': [
    'The MX is right, but feedback.quartzpost.net does not exist at the provider, who has to repair that.',
    feedbackAt('quartz-goods.com', 'quartzpost.net', ['@ A 151.101.66.40']),
    { result: ['fail', 'warn'], turn: 'provider', says: [/feedback\.quartzpost\.net/], fix: null },
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
  'mx-named-twice-at-the-mail-from-name': [
    'The right host is there twice, and the provider accepts exactly one MX at this name. Delete one of the two.',
    domainWithLines('mx', 'spinel-goods.com', [
      'bounce MX 10 feedback.mailprovider.net.',
      'bounce MX 20 feedback.mailprovider.net.',
    ]),
    { says: [/2 times/], fix: expectFix('mx') },
  ],
});

/** A domain whose provider takes bounces at `feedback.` of its own zone. */
function feedbackAt(domain: string, provider: string, lines: readonly string[]) {
  const own = ownZone(domain, 'mx', [`bounce MX 10 feedback.${provider}.`]);
  const record = { ...listedRecord('mx', domain), value: `10 feedback.${provider}` };
  return judged(domain, record, [own, zone(provider, lines)]);
}
