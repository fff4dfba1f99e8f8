import { expect, test } from 'vitest';
import { classifyDisagreement, type ZoneCopy } from './disagreement.ts';

type Row = [server: string, isRight: boolean, primary: string | null, serial: number | null];

const copyOf = ([server, isRight, primary, serial]: Row): ZoneCopy => ({ server, isRight, primary, serial });

const MASTER = 'ns1.host.net';

// Each row: what an expert says, each server with its SOA, and what follows.
test.each<[string, Row[], ReturnType<typeof classifyDisagreement>]>([
  [
    'The secondary has the older version: the transfer brings the record.',
    [
      [MASTER, true, MASTER, 5],
      ['ns2.host.net', false, MASTER, 4],
    ],
    { kind: 'transfer', isDue: true },
  ],
  [
    'Serial numbers wrap around (RFC 1982): 3 comes after 4294967290.',
    [
      [MASTER, true, MASTER, 3],
      ['ns2.host.net', false, MASTER, 4_294_967_290],
    ],
    { kind: 'transfer', isDue: true },
  ],
  [
    'The wrong one has the newer version across the wrap, so it will replace the right one.',
    [
      ['ns2.host.net', true, 'hidden.host.net', 4_294_967_290],
      ['ns3.host.net', false, 'hidden.host.net', 3],
    ],
    { kind: 'primary', at: ['ns3.host.net'] },
  ],
  [
    'The primary is wrong: the right secondary only has not taken the change over yet.',
    [
      [MASTER, false, MASTER, 6],
      ['ns2.host.net', true, MASTER, 5],
    ],
    { kind: 'primary', at: [MASTER] },
  ],
  [
    'The primary is wrong and its version is the same: nobody raised the serial, and the record is gone at the source.',
    [
      [MASTER, false, MASTER, 5],
      ['ns2.host.net', true, MASTER, 5],
    ],
    { kind: 'primary', at: [MASTER] },
  ],
  [
    'The same version of one host differs. No transfer is due.',
    [
      [MASTER, true, MASTER, 5],
      ['ns2.host.net', false, MASTER, 5],
    ],
    { kind: 'transfer', isDue: false },
  ],
  [
    'Two hosts, each with a zone of its own: enter the record at the other one too.',
    [
      ['ns-1.awsdns-07.org', true, 'ns-1.awsdns-07.org', 1],
      ['ns-9.awsdns-12.co.uk', true, 'ns-1.awsdns-07.org', 1],
      ['dns1.p01.nsone.net', false, 'dns1.p01.nsone.net', 1_700_000_000],
      ['dns2.p01.nsone.net', false, 'dns1.p01.nsone.net', 1_700_000_000],
    ],
    { kind: 'hosts', at: ['dns1.p01.nsone.net', 'dns2.p01.nsone.net'] },
  ],
  [
    'A second host takes transfers from the first one, and is behind.',
    [
      [MASTER, true, MASTER, 9],
      ['ns.backup.org', false, MASTER, 8],
    ],
    { kind: 'transfer', isDue: true },
  ],
  [
    'The zone was copied by hand to another host, with its SOA: both have the same version and other records.',
    [
      [MASTER, true, MASTER, 9],
      ['ns1.backup.org', false, MASTER, 9],
      ['ns2.backup.org', false, MASTER, 9],
    ],
    { kind: 'hosts', at: ['ns1.backup.org', 'ns2.backup.org'] },
  ],
  [
    'A single server of another host with the same version: it may just be faulty.',
    [
      [MASTER, true, MASTER, 9],
      ['ns.backup.org', false, MASTER, 9],
    ],
    { kind: 'transfer', isDue: false },
  ],
  [
    'Each of two hosts has its own source, whose versions say nothing about the other. One server is behind its own.',
    [
      [MASTER, true, MASTER, 900],
      ['ns1.backup.org', true, 'ns1.backup.org', 17],
      ['ns2.backup.org', false, 'ns1.backup.org', 16],
    ],
    { kind: 'transfer', isDue: true },
  ],
  [
    'The same, and it has the version of its own source, which is older than that of the other host.',
    [
      [MASTER, true, MASTER, 900],
      ['ns1.backup.org', true, 'ns1.backup.org', 17],
      ['ns2.backup.org', false, 'ns1.backup.org', 17],
    ],
    { kind: 'transfer', isDue: false },
  ],
  [
    'The same, and newer than that of the other host.',
    [
      [MASTER, true, MASTER, 16],
      ['ns1.backup.org', true, 'ns1.backup.org', 17],
      ['ns2.backup.org', false, 'ns1.backup.org', 17],
    ],
    { kind: 'transfer', isDue: false },
  ],
  [
    'The versions did not come: nothing is certain.',
    [
      [MASTER, true, MASTER, null],
      ['ns.backup.org', false, null, null],
    ],
    { kind: 'transfer', isDue: false },
  ],
])('%s', (_, rows, expected) => {
  expect(classifyDisagreement(rows.map(copyOf))).toEqual(expected);
});
