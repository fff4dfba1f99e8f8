import { expect, test } from 'vitest';
import { RCODES } from './nameServer.ts';
import { NS1, NS2, RESOLVER } from '../testing/testDns.ts';
import {
  adviseInZone,
  BOUNCE_SPF,
  checkInZone,
  cname,
  K1,
  mx,
  MX,
  nextZone,
  SPF,
  txt,
  startTestProvider,
} from '../testing/testZone.ts';

// An attacker who guesses an id can forge a negative answer over UDP. It is confirmed over TCP before it is used.

const dns = startTestProvider();

function deny(forged: (name: string) => boolean): void {
  for (const server of [NS1, NS2, RESOLVER]) {
    dns.misbehave[server] = ({ name }, isTcp) => (!isTcp && forged(name) ? { flags: RCODES.NXDOMAIN } : undefined);
  }
}

test('an include of the owner', async () => {
  deny((name) => name.startsWith('_spf.'));
  const own = SPF.replace('~all', 'include:@ ~all');
  const finding = await checkInZone(
    dns,
    (at) => [txt(at('bounce'), own.replace('@', at('_spf'))), txt(at('_spf'), 'v=spf1 ip4:198.51.100.7 -all')],
    BOUNCE_SPF,
  );
  expect(finding).toMatchObject({ result: 'ok', fix: null });
});

test('the key behind an alias, and the host of an MX', async () => {
  deny((name) => name.startsWith('k1.dkim.') || name.startsWith('feedback.'));
  expect(await checkInZone(dns, (at) => [cname(at('k1._domainkey'), 'k1.dkim.provider.test')], K1)).toMatchObject({
    result: 'ok',
  });
  expect(await checkInZone(dns, (at) => [mx(at('bounce'), 10, 'feedback.provider.test')], MX)).toMatchObject({
    result: 'ok',
  });
});

test('a DMARC record, in whose place a weaker one would be offered', async () => {
  const zone = nextZone();
  deny((name) => name === `_dmarc.${zone}`);
  const { dmarc } = await adviseInZone(dns, (at) => [txt(at('_dmarc'), 'v=DMARC1; p=reject')]);
  expect(dmarc).toMatchObject({ code: 'DMARC_APPLIES', fix: null });
});
