import { listedRecord, ownZone, rightLines, situations, zone } from './zoneLines.ts';

/** The listed DKIM record of a domain is right; the zone of its parent has these lines, too. */
const sending = (domain: string, parent: string, lines: readonly string[], options: readonly string[] = []) => ({
  domain,
  mailFrom: `bounce.${parent}`,
  records: [listedRecord('dkim', parent)].map((record) => ({ ...record, name: `k1._domainkey.${domain}` })),
  zones: [zone(parent, lines)],
  options,
});
const KEY = 'k1._domainkey CNAME k1.dkim.mailprovider.net.';
const OFFICE = ['@ MX 10 mx1', 'mx1 A 94.23.44.11'];
const WITHOUT_DMARC = [...rightLines(['dmarc']), ...OFFICE];

/** The domain of the From address itself, and how much receivers require of it. */
export const senderSituations = situations({
  'sender-right': [
    'The zone is signed, the domain has an MX and the MAIL FROM name is in the zone: nobody refuses this domain as unknown.',
    {
      domain: 'prut-goods.com',
      mailFrom: 'bounce.prut-goods.com',
      records: [listedRecord('dkim', 'prut-goods.com')],
      zones: [ownZone('prut-goods.com', [], [], { signed: 'right' })],
    },
    {
      result: 'ok',
      advice: {
        from_soa: { result: 'ok', says: [/prut-goods\.com/] },
        mail_from_soa: { result: 'ok', says: [/bounce\.prut-goods\.com is in the zone prut-goods\.com/] },
        from_host: { result: 'ok', says: [/MX/] },
      },
      watched: {
        ns: [/^ns1\.dnshost\.net$/, /^ns2\.dnshost\.net$/],
        ds: [/^\d+ \d+ 2 [\dA-F]{64}$/],
        soa: [/^ns1\.dnshost\.net \S+$/],
        mx: [/^10 mx1\.prut-goods\.com$/],
      },
    },
  ],
  'sender-without-host': [
    'The domain has neither an MX nor an address. GMX and WEB.DE refuse mail without one, and replies go nowhere.',
    sending('siret-goods.com', 'siret-goods.com', rightLines()),
    {
      result: 'ok',
      advice: { from_host: { result: 'fail', says: [/GMX/, /neither/] }, from_soa: { result: 'ok' } },
      watched: { ds: [], mx: [] },
    },
  ],
  'sender-with-null-mx': [
    'The domain says that it accepts no mail. RFC 7505 lets receivers refuse mail from such a domain, and Yahoo does.',
    sending('jiu-goods.com', 'jiu-goods.com', [...rightLines(), '@ MX 0 .', '@ A 94.23.44.12']),
    { result: 'ok', advice: { from_host: { result: 'fail', says: [/null MX/, /7505/] } }, watched: { mx: [/^0 \.$/] } },
  ],
  'sender-below-the-zone': [
    'Mail is sent as news.olt-goods.com, which only has records below it, so the name exists and is in a zone with an SOA record.',
    sending('news.olt-goods.com', 'olt-goods.com', [...OFFICE, ...rightLines([], '.news')]),
    {
      result: 'ok',
      advice: {
        from_soa: { result: 'ok', says: [/news\.olt-goods\.com is in the zone olt-goods\.com/] },
        from_host: { result: 'fail' },
      },
    },
  ],
  'sender-unknown': [
    'Mail is sent as news.arges-goods.com, and no such name exists in the zone: Yahoo refuses it as unresolvable.',
    { ...sending('news.arges-goods.com', 'arges-goods.com', [...OFFICE, KEY]), mailFrom: null },
    {
      result: 'fail',
      advice: { from_soa: { result: 'fail', says: [/doesn't exist/, /Yahoo/] }, from_host: { result: 'fail' } },
    },
  ],
  'sender-in-bulk-without-dmarc': [
    'No DMARC record applies. Gmail, Yahoo and Outlook.com refuse bulk mail of such a domain.',
    sending('vedea-goods.com', 'vedea-goods.com', WITHOUT_DMARC),
    { result: 'ok', advice: { dmarc: { result: 'fail', says: [/bulk/] } } },
  ],
  'sender-of-single-mails-without-dmarc': [
    'No DMARC record applies. A domain that does not send in bulk is not refused for it; it would still be better.',
    sending('motru-goods.com', 'motru-goods.com', WITHOUT_DMARC, ['--not-bulk']),
    { result: 'ok', advice: { dmarc: { result: 'warn' } } },
  ],
});
