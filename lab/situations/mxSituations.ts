import type { Situation } from '../situation.ts';
import { listedRecord, ownZone, domainWithLines, expectFix, zone } from './zoneLines.ts';

export const mxSituations: Situation[] = [
  {
    id: 'mx-nothing-there',
    expert: 'bounce.agate-goods.com has its SPF record but no MX. Add the MX; the TXT record stays.',
    ...domainWithLines('mx', 'agate-goods.com', []),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/bounce\.agate-goods\.com/],
      neverSays: [/bounce\.agate-goods\.com does not exist/i],
      fix: expectFix('mx'),
    },
  },
  {
    id: 'mx-other-priority',
    expert: 'The MX has the priority 20 instead of 10. Mail arrives; set 10.',
    ...domainWithLines('mx', 'amber-goods.com', ['bounce MX 20 feedback.mailprovider.net.']),
    expect: { result: 'warn', turn: 'owner', says: [/\b20\b/, /\b10\b/], fix: expectFix('mx') },
  },
  {
    id: 'mx-another-one-beside',
    expert:
      'Besides the MX of the provider there is mx1.basalt-goods.com. The provider accepts exactly one at this name: delete the other, or choose another name.',
    ...domainWithLines('mx', 'basalt-goods.com', ['bounce MX 10 feedback.mailprovider.net.', 'bounce MX 20 mx1']),
    expect: { result: 'fail', turn: 'owner', says: [/mx1\.basalt-goods\.com/] },
  },
  {
    id: 'mx-another-one-only',
    expert: 'The MX names mx1.beryl-goods.com; bounces have to go to feedback.mailprovider.net.',
    ...domainWithLines('mx', 'beryl-goods.com', ['bounce MX 10 mx1']),
    expect: { result: 'fail', turn: 'owner', says: [/mx1\.beryl-goods\.com/], fix: expectFix('mx') },
  },
  {
    id: 'mx-same-host-twice',
    expert: 'The same server stands there twice, with 10 and with 20. One of them is enough: delete the second.',
    ...domainWithLines('mx', 'coral-goods.com', [
      'bounce MX 10 feedback.mailprovider.net.',
      'bounce MX 20 feedback.mailprovider.net.',
    ]),
    expect: {
      result: ['warn', 'fail'],
      turn: 'owner',
      says: [/twice|two|2/i],
      neverSays: [/other (mail )?servers?/i],
    },
  },
  {
    id: 'mx-eleven-hosts',
    expert: 'There are 11 mail servers at the name, where the provider wants its own alone.',
    ...domainWithLines('mx', 'flint-goods.com', [
      'bounce MX 10 feedback.mailprovider.net.',
      ...Array.from({ length: 10 }, (_, index) => `bounce MX 20 relay${index}\nrelay${index} A 94.23.47.${index + 10}`),
    ]),
    expect: { result: 'fail', turn: 'owner', says: [/\b1[01]\b|relay0\.flint-goods\.com/] },
  },
  {
    id: 'mx-priority-in-the-host',
    expert: 'The priority was typed into the field of the server. Priority: 10. Server: feedback.mailprovider.net.',
    ...domainWithLines('mx', 'garnet-goods.com', ['bounce MX 10 10\\032feedback.mailprovider.net.']),
    expect: { result: 'fail', turn: 'owner', says: [/priority/i], fix: expectFix('mx') },
  },
  {
    id: 'mx-is-an-address',
    expert: 'An MX has to name a host; 185.70.42.9 is an address.',
    ...domainWithLines('mx', 'granite-goods.com', ['bounce MX 10 185.70.42.9.']),
    expect: { result: 'fail', turn: 'owner', says: [/185\.70\.42\.9/, /address/i], fix: expectFix('mx') },
  },
  {
    id: 'mx-is-an-address-with-the-domain',
    expert:
      'An address was entered as the server, and the DNS host appended the domain to it. An MX has to name a host.',
    ...domainWithLines('mx', 'jade-goods.com', ['bounce MX 10 185.70.42.9']),
    expect: { result: 'fail', turn: 'owner', says: [/185\.70\.42\.9/], fix: expectFix('mx') },
  },
  {
    id: 'mx-none-accepted',
    expert: 'A null MX says that bounce.jasper-goods.com accepts no mail. Replace it by the MX of the provider.',
    ...domainWithLines('mx', 'jasper-goods.com', ['bounce MX 0 .']),
    expect: { result: 'fail', turn: 'owner', says: [/no mail|null MX/i], fix: expectFix('mx') },
  },
  {
    id: 'mx-target-without-final-dot',
    expert: 'The DNS host appended the domain to the server: feedback.mailprovider.net.marble-goods.com.',
    ...domainWithLines('mx', 'marble-goods.com', ['bounce MX 10 feedback.mailprovider.net']),
    expect: {
      result: 'fail',
      turn: 'owner',
      says: [/feedback\.mailprovider\.net\.marble-goods\.com/],
      fix: expectFix('mx'),
    },
  },
  {
    id: 'mx-as-text',
    expert: 'The MX was published as a TXT record. Create an MX with it and delete that TXT record; SPF stays.',
    ...domainWithLines('mx', 'onyx-goods.com', ['bounce TXT "10 feedback.mailprovider.net"']),
    expect: { result: 'fail', turn: 'owner', fix: expectFix('mx') },
  },
  {
    id: 'mx-behind-an-alias',
    expert:
      'bounce.opal-goods.com is an alias of the website, so no MX can stand there. The CNAME has to be replaced by the MX; SPF can only be added then.',
    domain: 'opal-goods.com',
    mailFrom: 'bounce.opal-goods.com',
    records: [listedRecord('mx', 'opal-goods.com')],
    zones: [ownZone('opal-goods.com', ['mx', 'spf'], ['bounce CNAME www'])],
    expect: { result: 'fail', turn: 'owner', says: [/CNAME|alias/], fix: expectFix('mx', { todo: /CNAME/ }) },
  },
  {
    id: 'mx-target-without-address',
    expert: 'The MX is right, but feedback.pearlpost.net has no address. Only the provider can repair that.',
    ...feedbackAt('pearl-goods.com', 'pearlpost.net', ['feedback TXT "gone"']),
    expect: { result: ['fail', 'warn'], turn: 'provider', says: [/feedback\.pearlpost\.net/], fix: null },
  },
  {
    id: 'mx-target-does-not-exist',
    expert: 'The MX is right, but feedback.quartzpost.net does not exist at the provider, who has to repair that.',
    ...feedbackAt('quartz-goods.com', 'quartzpost.net', ['@ A 151.101.66.40']),
    expect: { result: ['fail', 'warn'], turn: 'provider', says: [/feedback\.quartzpost\.net/], fix: null },
  },
  {
    id: 'mx-target-is-an-alias',
    expert:
      'The MX is right. Its server is an alias, which the standard does not allow but most senders follow; the provider could change that.',
    ...feedbackAt('ruby-goods.com', 'rubypost.net', ['feedback CNAME in.rubypost.net.', 'in A 185.81.20.20']),
    expect: { result: ['warn', 'ok'], turn: ['provider', null], fix: null },
  },
  {
    id: 'mx-at-the-domain-itself',
    expert:
      'The listed MX belongs at topaz-goods.com itself, where the mailboxes of the owner are. It would take their mail away. Ask the provider for a MAIL FROM below the domain.',
    domain: 'topaz-goods.com',
    mailFrom: 'topaz-goods.com',
    records: [{ type: 'MX', name: 'topaz-goods.com', value: '10 feedback.mailprovider.net' }],
    zones: [ownZone('topaz-goods.com', ['mx', 'spf'], ['@ TXT "v=spf1 mx include:spf.mailprovider.net ~all"'])],
    expect: {
      result: 'fail',
      says: [/mx1\.topaz-goods\.com/, /inbound|incoming|receive|mailbox|take/i],
      neverSays: [/can stay/i],
      fix: null,
    },
  },
  {
    id: 'mx-at-the-domain-beside-the-own',
    expert:
      'The MX of the provider stands beside that of the owner at the domain itself: part of the mail for its mailboxes goes to the provider. A MAIL FROM below the domain is needed.',
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
    expect: {
      result: 'fail',
      says: [/mx1\.zircon-goods\.com/],
      neverSays: [/can stay/i, /(delete|remove) mx1\.zircon-goods\.com/i],
    },
  },
  {
    id: 'mx-at-the-domain-alone',
    expert:
      'All mail to slate-goods.com goes to the provider for bounces. That is as listed, but no mailbox of the domain can receive anything.',
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
    expect: { result: ['warn', 'ok'], neverSays: [/can stay/i] },
  },
  {
    id: 'mx-beside-another-where-no-bounces-go',
    expert:
      'The listed MX is there at in.chalk-goods.com. Another one stands beside it; this is not the name of the bounces, so it works, but some mail goes elsewhere.',
    domain: 'chalk-goods.com',
    records: [{ type: 'MX', name: 'in.chalk-goods.com', value: '10 feedback.mailprovider.net' }],
    zones: [ownZone('chalk-goods.com', ['mx', 'spf'], ['in MX 10 feedback.mailprovider.net.', 'in MX 20 mx1'])],
    expect: { result: 'warn', turn: 'owner', says: [/mx1\.chalk-goods\.com/] },
  },
];

/** A domain whose provider takes bounces at `feedback.` of its own zone. */
function feedbackAt(
  domain: string,
  provider: string,
  lines: readonly string[],
): Pick<Situation, 'domain' | 'mailFrom' | 'records' | 'zones'> {
  return {
    domain,
    mailFrom: `bounce.${domain}`,
    records: [{ ...listedRecord('mx', domain), value: `10 feedback.${provider}` }],
    zones: [ownZone(domain, 'mx', [`bounce MX 10 feedback.${provider}.`]), zone(provider, lines)],
  };
}
