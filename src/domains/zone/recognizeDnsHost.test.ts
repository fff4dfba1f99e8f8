import { describe, expect, test } from 'vitest';
import { createFinding } from '../../testing/testCheck.ts';
import { DNS_HOSTS } from './dnsHosts.ts';
import { describeHostSteps, recognizeDnsHost } from './recognizeDnsHost.ts';

const from = (server: string | null, zone = 'x.test', ...later: string[]) =>
  createFinding({
    zone,
    evidence: [server, ...later].map((name) => ({
      server: name,
      address: '192.0.2.1',
      at: '2026-03-04T05:06:07.000Z',
      answer: 'NXDOMAIN',
      records: [],
    })),
  });

describe('the DNS host is recognised by its name servers', () => {
  test.each([
    ['kim.ns.cloudflare.com', 'Cloudflare'],
    ['NS-1536.awsdns-00.co.uk.', 'Amazon Route 53'],
    ['ns-421.awsdns-52.com', 'Amazon Route 53'],
    ['ns53.domaincontrol.com', 'GoDaddy'],
    ['dns1.registrar-servers.com', 'Namecheap'],
    ['ns-cloud-b1.googledomains.com', 'Squarespace (formerly Google Domains)'],
    ['ns1-04.azure-dns.com', 'Azure DNS'],
    ['ns4-04.azure-dns.info', 'Azure DNS'],
    ['dns104.ovh.net', 'OVHcloud'],
    ['ns12.ovh.ca', 'OVHcloud'],
    ['hydrogen.ns.hetzner.com', 'Hetzner'],
    ['ns1.first-ns.de', 'Hetzner'],
    ['ns1098.ui-dns.biz', 'IONOS'],
    ['ns-12-a.gandi.net', 'Gandi'],
  ])('%s is of %s', (server, name) => {
    expect(recognizeDnsHost([from(server)], 'x.test')?.name).toBe(name);
  });

  test.each(['ns1.x.test', 'cloudflare.com', 'ns.cloudflare.com.x.test', 'notgandi.net', ''])(
    '%j is of none that is known',
    (server) => {
      expect(recognizeDnsHost([from(server)], 'x.test')).toBeNull();
    },
  );

  test.each([
    ['nobody knows the zone', [from('kim.ns.cloudflare.com')], null],
    ['only a resolver answered', [from(null)], 'x.test'],
    ['nobody answered', [], 'x.test'],
    ['the servers are of two hosts', [from('kim.ns.cloudflare.com'), from('ns53.domaincontrol.com')], 'x.test'],
    ['some servers are of nobody known', [from('kim.ns.cloudflare.com'), from('ns.x.test')], 'x.test'],
  ])('not where %s', (_, findings, zone) => {
    expect(recognizeDnsHost(findings, zone)).toBeNull();
  });

  test('not by the servers of another zone, such as that of an alias', () => {
    expect(recognizeDnsHost([from('kim.ns.cloudflare.com', 'y.test')], 'x.test')).toBeNull();
    expect(recognizeDnsHost([from('ns53.domaincontrol.com', 'x.test', 'kim.ns.cloudflare.com')], 'x.test')?.name).toBe(
      'GoDaddy',
    );
  });
});

describe('the steps at a host', () => {
  const fix = {
    todo: '',
    type: 'CNAME',
    host: 'k1._domainkey',
    name: 'k1._domainkey.x.test',
    value: 'y',
    priority: null,
  };
  const stepsAt = (name: string, type: string) =>
    describeHostSteps(
      DNS_HOSTS.find((host) => host.name === name)!,
      { ...fix, type },
      'x.test',
    );

  test('name the field, and only what matters to the type', () => {
    expect(stepsAt('Cloudflare', 'CNAME')).toEqual([
      'Open the DNS records of x.test at Cloudflare, then add or change the CNAME record below.',
      'Copy “Host” into the field “Name”.',
      'Turn the proxy off, so that “Proxy status” is “DNS only”.',
    ]);
    expect(stepsAt('Cloudflare', 'TXT')).toHaveLength(2);
    expect(stepsAt('Amazon Route 53', 'TXT').at(-1)).toMatch(/^Put the value in double quotes/);
    expect(stepsAt('Amazon Route 53', 'CNAME')).toHaveLength(2);
    expect(stepsAt('Amazon Route 53', 'MX').at(-1)).toMatch(/one value/);
    expect(stepsAt('Hetzner', 'MX').at(-1)).toMatch(/^End the value with a dot/);
  });
});
