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
    'bounce.opal-goods.com is an alias of the website, so it cannot have an MX. Replace the CNAME with the MX; only then can SPF be added.',
    domainInZones('mx', 'opal-goods.com', [ownZone('opal-goods.com', ['mx', 'spf'], ['bounce CNAME www'])]),
    { says: [/CNAME|alias/], fix: expectFix('mx', { todo: /CNAME/ }) },
  ],
  'mx-where-another-sender-has-its-return-path': [
    'bounce.tallow-goods.com is the return path of tallowpost.net, which works. Without the alias its mail fails SPF: only if it is no longer used may it go, else the provider names another MAIL FROM name.',
    domainInZones('mx', 'tallow-goods.com', [
      ownZone('tallow-goods.com', ['mx', 'spf'], ['bounce CNAME u7.wl.tallowpost.net.']),
      zone('tallowpost.net', ['u7.wl MX 10 mx', 'u7.wl TXT "v=spf1 ip4:45.77.1.0/24 -all"', 'mx A 45.77.1.9']),
    ]),
    { says: [/tallowpost\.net/, /another name/], fix: expectFix('mx', { todo: /^If nothing uses tallowpost\.net/ }) },
  ],
  'mx-of-the-domain-names-the-host-asked-for': [
    'mail.flint-goods.com is the mail server of the owner: the MX of the domain names it. A CNAME there takes the mail of all mailboxes away. The provider has to name another host.',
    judged('flint-goods.com', { type: 'CNAME', name: 'mail.flint-goods.com', value: 'mailprovider.net' }, [
      zone('flint-goods.com', ['@ A 151.101.66.20', '@ MX 10 mail', 'mail A 94.23.45.1']),
    ]),
    { result: 'fail', turn: 'provider', says: [/MX/, /another name/], neverSays: [/delete|change the/i], fix: null },
  ],
  'mx-listed-at-an-alias-that-the-mx-of-the-domain-names': [
    'mail.chert-goods.com is an alias of the mail server of the owner, and the MX of the domain names it. For the listed MX the alias would have to go, and the mail with it.',
    judged('chert-goods.com', { type: 'MX', name: 'mail.chert-goods.com', value: '10 feedback.mailprovider.net' }, [
      zone('chert-goods.com', ['@ A 151.101.66.20', '@ MX 10 mail', 'mail CNAME srv', 'srv A 94.23.45.1']),
    ]),
    { result: 'fail', turn: 'provider', says: [/chert-goods\.com/, /another name/], fix: null },
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
