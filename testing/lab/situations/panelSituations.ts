import {
  situations,
  zone,
  ownZone,
  domainWithLines,
  domainInZones,
  domainAtApex,
  judged,
  expectFix,
} from './zoneLines.ts';

const CLOUDFLARE = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const TAKES_AWAY = /\b(remove|delete)\b/i;
const clickOf = (domain: string, value: string, type = 'CNAME') => ({ type, name: `click.${domain}`, value });

/** What the forms and the defaults of DNS hosts make of a record. */
export const panelSituations = situations({
  'panel-default-dmarc-alias': [
    "The DNS host has _dmarc as an alias of its default record, p=none without reports. Reports to the provider need the owner's own TXT record instead of that alias.",
    judged(
      'isar-panels.com',
      { type: 'TXT', name: '_dmarc.isar-panels.com', value: 'v=DMARC1; p=none; rua=mailto:d@dmarcreports.net' },
      [
        ownZone('isar-panels.com', 'dmarc', ['_dmarc CNAME dmarc.isarhost.net.']),
        zone('isarhost.net', ['dmarc TXT "v=DMARC1; p=none"']),
      ],
    ),
    { result: 'warn', turn: 'owner', says: [/reports/, /CNAME/, /dmarc\.isarhost\.net/], fix: null },
  ],
  'panel-dmarc-encoded-for-a-web-address': [
    'The form encoded the record. Meant are reject and reports, so neither may get lost.',
    domainWithLines('dmarc', 'lech-panels.com', [
      '_dmarc TXT "v=DMARC1%3B p=reject%3B rua=mailto%3Ad%40lech-panels.com"',
    ]),
    { fix: expectFix('dmarc', { value: 'v=DMARC1; p=reject; rua=mailto:d@lech-panels.com' }) },
  ],
  'panel-second-spf-record-encoded': [
    'The wizard added a record with "%20" next to the complete one. One record must contain both.',
    domainAtApex('inn-panels.com', ['@ TXT "v=spf1 mx -all"', '@ TXT "v=spf1%20include:spf.mailprovider.net%20~all"']),
    { says: [/%20/], fix: { host: '@', value: 'v=spf1 mx include:spf.mailprovider.net -all' } },
  ],
  'panel-mail-is-an-alias-of-the-domain': [
    'mail is an alias of the domain, as hosting panels have it: mail programs find their server there. It may only be changed if none does; otherwise the provider chooses another host.',
    judged('regen-panels.com', { type: 'CNAME', name: 'mail.regen-panels.com', value: 'mailprovider.net' }, [
      zone('regen-panels.com', ['@ A 94.23.46.10', '@ MX 0 @', 'mail CNAME @']),
    ]),
    { says: [/another name/], fix: { host: 'mail', type: 'CNAME', todo: /^If nothing uses regen-panels\.com / } },
  ],
  'panel-alias-record-of-the-host': [
    'An ALIAS shows the addresses of the provider, who looks for the CNAME. Nobody else uses these addresses.',
    judged('ilm-panels.com', clickOf('ilm-panels.com', 'mailprovider.net'), [
      ownZone('ilm-panels.com', [], ['click A 185.70.42.10']),
    ]),
    { says: [/ALIAS/], neverSays: [/who uses/], fix: { host: 'click', type: 'CNAME' } },
  ],
  'panel-listed-address-proxied': [
    'The listed address is behind the proxy of Cloudflare: set the record to "DNS only".',
    judged('saale-panels.com', clickOf('saale-panels.com', '185.70.42.10', 'A'), [
      ownZone('saale-panels.com', [], ['click A 104.21.50.7', 'click A 172.67.160.9'], { ns: CLOUDFLARE }),
    ]),
    { says: [/DNS only/], fix: { host: 'click', type: 'A' } },
  ],
  'panel-wildcard-alias-and-no-dmarc': [
    'A wildcard alias of the website answers for _dmarc. Add the TXT record; the wildcard stays.',
    domainInZones('dmarc', 'naab-panels.com', [
      zone('naab-panels.com', ['@ A 75.2.60.5', '* CNAME naab.naabsites.net.']),
      zone('naabsites.net', ['naab A 75.2.60.5']),
    ]),
    { says: [/wildcard/], neverSays: [TAKES_AWAY], fix: expectFix('dmarc') },
  ],
  'panel-alias-to-the-token-of-another-service': [
    '_verify is an alias of certsign.net, whose token is read there. Without it that service fails: name it.',
    judged('vils-panels.com', { type: 'TXT', name: '_verify.vils-panels.com', value: 'token=zz' }, [
      ownZone('vils-panels.com', [], ['_verify CNAME v.certsign.net.']),
      zone('certsign.net', ['v TXT "cert=99"']),
    ]),
    { says: [/another name/], fix: { host: '_verify', value: 'token=zz', todo: /^If nothing uses certsign\.net / } },
  ],
});
