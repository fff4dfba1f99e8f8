import { listedRecord, ownZone, situations } from './zoneLines.ts';

/** A right domain, checked for the mail that it receives, with more lines. */
const receiving = (domain: string, lines: readonly string[], more: Parameters<typeof ownZone>[3] = {}) => ({
  domain,
  records: [listedRecord('dkim', domain)],
  zones: [ownZone(domain, [], lines, more)],
  options: ['--advice'],
});
const TLSA = `_25._tcp.mx1 TLSA 3 1 1 ${'ab'.repeat(32)}`;

/** What `--advice` says of mail that the domain receives. */
export const incomingSituations = situations({
  'incoming-nothing-published': [
    'The domain receives mail, and has neither MTA-STS nor TLS reports. DANE is optional.',
    receiving('isar-goods.com', []),
    {
      result: 'ok',
      advice: {
        mta_sts: { result: 'warn', says: [/MTA-STS/] },
        tls_rpt: { result: 'warn', says: [/_smtp\._tls\.isar-goods\.com/] },
        dane: { result: 'ok', says: [/mx1\.isar-goods\.com/] },
      },
    },
  ],
  'incoming-everything-published': [
    'MTA-STS is announced and its host is there, reports of TLS go to the owner, and the signed zone has a TLSA record for the mail server.',
    receiving(
      'lech-goods.com',
      [
        '_mta-sts TXT "v=STSv1; id=20261128;"',
        'mta-sts A 151.101.66.21',
        '_smtp._tls TXT "v=TLSRPTv1; rua=mailto:tls@lech-goods.com"',
        TLSA,
      ],
      { signed: 'right' },
    ),
    {
      result: 'ok',
      advice: {
        mta_sts: { result: 'ok', says: [/20261128/] },
        tls_rpt: { result: 'ok', says: [/tls@lech-goods\.com/] },
        dane: { result: 'ok', says: [/certificate/, /mx1\.lech-goods\.com/] },
      },
    },
  ],
  'incoming-everything-broken': [
    'The host of the MTA-STS policy has no address, the address for reports lacks "mailto:", and TLSA without DNSSEC proves nothing.',
    receiving('inn-goods.com', [
      '_mta-sts TXT "v=STSv1; id=20261128;"',
      '_smtp._tls TXT "v=TLSRPTv1; rua=tls@inn-goods.com"',
      TLSA,
    ]),
    {
      result: 'ok',
      advice: {
        mta_sts: { result: 'warn', says: [/mta-sts\.inn-goods\.com.* no address/] },
        tls_rpt: { result: 'warn', says: [/mailto:/] },
        dane: { result: 'warn', says: [/DNSSEC/] },
      },
    },
  ],
});
