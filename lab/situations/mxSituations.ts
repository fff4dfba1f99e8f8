import {
  listedRecord,
  ownZone,
  domainWithLines,
  expectFix,
  zone,
  situations,
  domainInZones,
  judged,
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
  'mx-other-priority': [
    'The MX has the priority 20 instead of 10. Mail arrives; set 10.',
    domainWithLines('mx', 'amber-goods.com', ['bounce MX 20 feedback.mailprovider.net.']),
    { result: 'warn', turn: 'owner', says: [/\b20\b/, /\b10\b/], fix: expectFix('mx') },
  ],
  'mx-another-one-beside': [
    'Besides the MX of the provider there is mx1.basalt-goods.com. The provider accepts exactly one at this name: delete the other, or choose another name.',
    domainWithLines('mx', 'basalt-goods.com', ['bounce MX 10 feedback.mailprovider.net.', 'bounce MX 20 mx1']),
    { says: [/mx1\.basalt-goods\.com/] },
  ],
  'mx-another-one-only': [
    'The MX names mx1.beryl-goods.com; bounces have to go to feedback.mailprovider.net.',
    domainWithLines('mx', 'beryl-goods.com', ['bounce MX 10 mx1']),
    { says: [/mx1\.beryl-goods\.com/], fix: expectFix('mx') },
  ],
  'mx-same-host-twice': [
    'The same server stands there twice, with 10 and with 20. One of them is enough: delete the second.',
    domainWithLines('mx', 'coral-goods.com', [
      'bounce MX 10 feedback.mailprovider.net.',
      'bounce MX 20 feedback.mailprovider.net.',
    ]),
    { result: ['warn', 'fail'], turn: 'owner', says: [/twice|two|2/i], neverSays: [/other (mail )?servers?/i] },
  ],
  'mx-eleven-hosts': [
    'There are 11 mail servers at the name, where the provider wants its own alone.',
    domainWithLines('mx', 'flint-goods.com', [
      'bounce MX 10 feedback.mailprovider.net.',
      ...Array.from({ length: 10 }, (_, index) => `bounce MX 20 relay${index}\nrelay${index} A 94.23.47.${index + 10}`),
    ]),
    { says: [/\b1[01]\b|relay0\.flint-goods\.com/] },
  ],
  'mx-priority-in-the-host': [
    'The priority was typed into the field of the server. Priority: 10. Server: feedback.mailprovider.net.',
    domainWithLines('mx', 'garnet-goods.com', ['bounce MX 10 10\\032feedback.mailprovider.net.']),
    { says: [/priority/i], fix: expectFix('mx') },
  ],
  'mx-is-an-address': [
    'An MX has to name a host; 185.70.42.9 is an address.',
    domainWithLines('mx', 'granite-goods.com', ['bounce MX 10 185.70.42.9.']),
    { says: [/185\.70\.42\.9/, /address/i], fix: expectFix('mx') },
  ],
  'mx-is-an-address-with-the-domain': [
    'An address was entered as the server, and the DNS host appended the domain to it. An MX has to name a host.',
    domainWithLines('mx', 'jade-goods.com', ['bounce MX 10 185.70.42.9']),
    { says: [/185\.70\.42\.9/], fix: expectFix('mx') },
  ],
  'mx-none-accepted': [
    'A null MX says that bounce.jasper-goods.com accepts no mail. Replace it by the MX of the provider.',
    domainWithLines('mx', 'jasper-goods.com', ['bounce MX 0 .']),
    { says: [/no mail|null MX/i], fix: expectFix('mx') },
  ],
  'mx-target-without-final-dot': [
    'The DNS host appended the domain to the server: feedback.mailprovider.net.marble-goods.com.',
    domainWithLines('mx', 'marble-goods.com', ['bounce MX 10 feedback.mailprovider.net']),
    { says: [/feedback\.mailprovider\.net\.marble-goods\.com/], fix: expectFix('mx') },
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
  'mx-target-without-address': [
    'The MX is right, but feedback.pearlpost.net has no address. Only the provider can repair that.',
    feedbackAt('pearl-goods.com', 'pearlpost.net', ['feedback TXT "gone"']),
    { result: ['fail', 'warn'], turn: 'provider', says: [/feedback\.pearlpost\.net/], fix: null },
  ],
  'mx-target-does-not-exist': [
    'The MX is right, but feedback.quartzpost.net does not exist at the provider, who has to repair that.',
    feedbackAt('quartz-goods.com', 'quartzpost.net', ['@ A 151.101.66.40']),
    { result: ['fail', 'warn'], turn: 'provider', says: [/feedback\.quartzpost\.net/], fix: null },
  ],
  'mx-target-is-an-alias': [
    'The MX is right. Its server is an alias, which the standard does not allow but most senders follow; the provider could change that.',
    feedbackAt('ruby-goods.com', 'rubypost.net', ['feedback CNAME in.rubypost.net.', 'in A 185.81.20.20']),
    { result: ['warn', 'ok'], turn: ['provider', null], fix: null },
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
  'mx-at-the-domain-beside-the-own': [
    'The MX of the provider stands beside that of the owner at the domain itself: part of the mail for its mailboxes goes to the provider. A MAIL FROM below the domain is needed.',
    {
      domain: 'zircon-goods.com',
      mailFrom: 'zircon-goods.com',
      records: [{ type: 'MX', name: 'zircon-goods.com', value: '10 feedback.mailprovider.net' }],
      zones: [
        ownZone(
          'zircon-goods.com',
          ['mx', 'spf'],
          ['@ MX 10 feedback.mailprovider.net.', '@ TXT "v=spf1 mx include:spf.mailprovider.net ~all"'],
        ),
      ],
    },
    {
      result: 'fail',
      says: [/mx1\.zircon-goods\.com/],
      neverSays: [/can stay/i, /(delete|remove) mx1\.zircon-goods\.com/i],
    },
  ],
  'mx-at-the-domain-alone': [
    'All mail to slate-goods.com goes to the provider for bounces. That is as listed, but no mailbox of the domain can receive anything.',
    {
      domain: 'slate-goods.com',
      mailFrom: 'slate-goods.com',
      records: [{ type: 'MX', name: 'slate-goods.com', value: '10 feedback.mailprovider.net' }],
      zones: [
        zone('slate-goods.com', [
          '@ A 151.101.66.20',
          '@ MX 10 feedback.mailprovider.net.',
          '@ TXT "v=spf1 include:spf.mailprovider.net ~all"',
        ]),
      ],
    },
    { result: ['warn', 'ok'], neverSays: [/can stay/i] },
  ],
  'mx-beside-another-where-no-bounces-go': [
    'The listed MX is there at in.chalk-goods.com. Another one stands beside it; this is not the name of the bounces, so it works, but some mail goes elsewhere.',
    {
      domain: 'chalk-goods.com',
      records: [{ type: 'MX', name: 'in.chalk-goods.com', value: '10 feedback.mailprovider.net' }],
      zones: [ownZone('chalk-goods.com', ['mx', 'spf'], ['in MX 10 feedback.mailprovider.net.', 'in MX 20 mx1'])],
    },
    { result: 'warn', turn: 'owner', says: [/mx1\.chalk-goods\.com/] },
  ],
});

/** A domain whose provider takes bounces at `feedback.` of its own zone. */
function feedbackAt(domain: string, provider: string, lines: readonly string[]) {
  const own = ownZone(domain, 'mx', [`bounce MX 10 feedback.${provider}.`]);
  const record = { ...listedRecord('mx', domain), value: `10 feedback.${provider}` };
  return judged(domain, record, [own, zone(provider, lines)]);
}
