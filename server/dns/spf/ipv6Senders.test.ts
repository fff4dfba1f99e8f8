import { describe, expect, test } from 'vitest';
import { catalogue } from '../catalogue/catalogue.ts';
import { fakeLookUp } from '../../testing/testSpf.ts';
import { judgeSpf } from './judgeSpf.ts';

// The provider sends from 198.51.100.0/24 and from 2001:db8:5::/48. The results for receivers are those of pyspf 2.0.14
// for 198.51.100.1 and 2001:db8:5::1.

const EXPECTED = 'v=spf1 include:six.p.test ~all';
const WORLD = {
  'six.p.test': { TXT: ['v=spf1 ip4:198.51.100.0/24 ip6:2001:db8:5::/48 -all'] },
  'o.test': { A: ['192.0.2.80'], MX: ['mail.o.test'] },
  'mail.o.test': { A: ['192.0.2.25'] },
  'shop.o.test': { A: ['192.0.2.81'] },
  'both.o.test': { A: ['192.0.2.82'], AAAA: ['2001:db8:9::82'] },
  'near.o.test': { AAAA: ['2001:db8:5::5'] },
  'slow.o.test': { A: ['192.0.2.83'], AAAA: null },
  'three.p.test': { TXT: ['v=spf1 a:mail.o.test a:shop.o.test mx:o.test ip6:2001:db8:5::/48 -all'] },
};

async function judge(record: string, expected = EXPECTED) {
  const lookUp = fakeLookUp(WORLD);
  const judgement = await judgeSpf({ name: 'o.test', texts: [record], expected, lookUp });
  const { describe: say }: { describe: (facts: never, context: never) => string } = catalogue[judgement.code];
  const said = say(judgement.facts as never, { name: 'o.test', host: '@', role: 'record' } as never);
  return { ...judgement, said, asked: lookUp.asked.filter((one) => one.endsWith(' AAAA')) };
}

describe('look-ups that are void for IPv6 only', () => {
  // pyspf: pass, and "permerror: Void lookup limit of 2 exceeded".
  test('three of them before the senders: broken for IPv6 senders, who stand first in the offer', async () => {
    const { code, facts, offer, said } = await judge('v=spf1 a mx a:shop.o.test include:six.p.test ~all');
    expect(code).toBe('SPF_VOID_LOOKUPS');
    expect(facts).toMatchObject({ leftOut: [], why: null });
    expect(said).toContain('as broken for IPv6 senders');
    expect(said).toContain('"a:shop.o.test"');
    expect(offer).toBe('v=spf1 include:six.p.test a mx a:shop.o.test ~all');
  });

  test.each([
    ['behind the senders', 'v=spf1 include:six.p.test a mx a:shop.o.test ~all'],
    ['two of them', 'v=spf1 a mx a:both.o.test include:six.p.test ~all'],
    ['"ptr", which leads to the name of a sender', 'v=spf1 a mx ptr:o.test include:six.p.test ptr ~all'],
  ])('%s: no error', async (_, record) => {
    expect((await judge(record)).code).not.toBe('SPF_VOID_LOOKUPS');
  });

  test('a record of the provider that has them is for the provider to fix', async () => {
    const expected = 'v=spf1 include:three.p.test ~all';
    const { code, said } = await judge(expected, expected);
    expect(code).toBe('SPF_PROVIDER_BROKEN');
    expect(said).toContain('for IPv6 senders');
  });
});

describe('the IPv6 addresses of hosts', () => {
  // pyspf: pass, and fail; pass for both.
  test.each([
    ['v=spf1 -a:near.o.test//48 include:six.p.test ~all', 'SPF_REFUSES_SENDERS'],
    ['v=spf1 ip4:198.51.100.0/24 a:near.o.test//48 -all', 'SPF_FLATTENED'],
  ])('count in %s: %s', async (record, code) => {
    expect((await judge(record)).code).toBe(code);
  });

  test('no answer about them: nobody can tell', async () => {
    const { code, facts } = await judge('v=spf1 a:slow.o.test include:six.p.test -all');
    expect(code).toBe('SPF_NOT_ASKED');
    expect(facts).toMatchObject({ target: 'slow.o.test', asked: 'AAAA' });
  });

  test('no answer about them does not hide that the IPv4 senders are missing, nor keep a record from being offered', async () => {
    const { code, facts, offer } = await judge('v=spf1 a:slow.o.test ~all');
    expect(code).toBe('SPF_WITHOUT_INCLUDE');
    expect(facts).toMatchObject({ missing: ['include:six.p.test'], why: null });
    expect(offer).toBe('v=spf1 include:six.p.test a:slow.o.test ~all');
  });

  test('they are not asked for behind the senders, nor without IPv6 senders', async () => {
    expect((await judge(`v=spf1 include:six.p.test a mx -all`)).asked).toEqual([]);
    const four = 'v=spf1 ip4:198.51.100.0/24 ~all';
    expect((await judge('v=spf1 a mx ip4:198.51.100.0/24 ~all', four)).asked).toEqual([]);
  });
});
