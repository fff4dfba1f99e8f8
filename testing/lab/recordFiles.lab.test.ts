import { setTimeout as delay } from 'node:timers/promises';
import type { Answer } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRecordFile } from '../../contract/recordFiles/recordFile.ts';
import { checkedRecords, rowText, rowTexts } from '../../contract/recordFiles/testChecked.ts';
import { type FileSituation, type Row, SITUATIONS } from '../../contract/recordFiles/testSituations.ts';
import { AUTHORITIES, RESOLVERS } from './addresses.ts';
import { type Lab, startLab } from './lab.ts';
import { runCheckCommand } from './runCheckCommand.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import { listedRecord, ownZone } from './situations/zoneLines.ts';
import { ask } from './wire.ts';
import { txt, zoneFile } from './zoneFile.ts';

// Files of changes, read by BIND and nsupdate.

const SEVERAL_MINUTES = 300_000;
const TIMEOUT = { timeout: 30_000 };
/** Where zones have the records of before, and where they got zone text. BIND listens on addresses of interfaces. */
const [UPDATED, LOADED] = ['127.0.0.1', RESOLVERS.validating];

/** The situations, each in a zone of its own. */
const OWN = SITUATIONS.map((situation, index) => {
  const zone = `s${index}.test`;
  return {
    zone,
    id: situation.id,
    situation: JSON.parse(JSON.stringify(situation).replaceAll('x.test', zone)) as FileSituation,
  };
});

function zoneLine([name, type, value]: Row): string {
  const strings = [value].flat();
  const data = type === 'TXT' ? strings.map(txt).join(' ') : strings.join(' ');
  return `${name}. ${type} ${type === 'MX' || type === 'CNAME' ? data.replace(/\.?$/, '.') : data}`;
}

function own(kind: 'zone' | 'nsupdate', { zone, situation }: (typeof OWN)[number]): string {
  const checked = checkedRecords(situation, zone).map((one) => ({ ...one, domain: zone }));
  return writeRecordFile(kind, checked);
}

const before = ({ published }: FileSituation) => published.map(zoneLine).join('\n');

/** Starts BIND with zone files, which anybody may update. */
async function startPrimary(sandbox: Sandbox, address: string, zones: ReadonlyMap<string, string>): Promise<void> {
  const folder = await sandbox.folder(`primary-${address}`);
  const blocks = await Promise.all(
    [...zones].map(async ([zone, file]) => {
      const path = await sandbox.write(`primary-${address}/${zone}`, file);
      expect(await sandbox.run('named-checkzone', '-i', 'none', '-k', 'ignore', zone, path)).toMatch(/\nOK\n$/);
      return `zone "${zone}" { type primary; file "${path}"; allow-update { any; }; check-names ignore; };\n`;
    }),
  );
  const configuration = await sandbox.write(
    `primary-${address}/named.conf`,
    `options {
  directory "${folder}"; pid-file none; lock-file none; session-keyfile none;
  listen-on { ${address}; }; recursion no; check-integrity no; empty-zones-enable no;
};
controls { };
logging { category default { null; }; };
${blocks.join('')}`,
  );
  const { unexpectedExit } = sandbox.start('named', '-4', '-f', '-n', '1', '-c', configuration);
  const waitForZones = async () => {
    for (const zone of zones.keys()) {
      while ((await ask(address, zone, 'SOA', TIMEOUT))?.answers?.length !== 1) await delay(50);
    }
  };
  await Promise.race([unexpectedExit, waitForZones()]);
}

/** What a server has at the names of a situation, as texts. */
async function read(address: string, { published, after, changes }: FileSituation): Promise<string[]> {
  const names = new Set(
    [...published, ...after, ...changes.map(({ fix }) => [fix.name.replace(/\.$/, '')])].map(([name]) => name),
  );
  const types = ['A', 'AAAA', 'CNAME', 'MX', 'TXT'] as const;
  const questions = [...names]
    .filter((name) => /^[\w.-]+$/.test(name))
    .flatMap((name) => types.map((type) => ({ name, type })));
  const answers: Answer[] = [];
  for (const { name, type } of questions) {
    const reply = await ask(address, name, type, TIMEOUT);
    answers.push(...(reply?.answers ?? []).filter((one) => one.name === name && one.type === type));
  }
  return answers.map(formatAnswer).toSorted();
}

function formatAnswer(answer: Answer): string {
  const { name, type } = answer;
  if (type === 'MX') return rowText(name, type, `${answer.data.preference} ${answer.data.exchange}`);
  if (type === 'A' || type === 'AAAA' || type === 'CNAME') return rowText(name, type, answer.data);
  if (type !== 'TXT') throw new Error(`A record of type ${type}.`);
  return rowText(name, type, Buffer.concat([answer.data].flat().map((one) => Buffer.from(one))).toString());
}

describe('BIND', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await createSandbox();
    const plain = OWN.map(
      ({ zone, situation }) => [zone, zoneFile({ name: zone, text: '' }, before(situation), [])] as const,
    );
    await startPrimary(sandbox, UPDATED, new Map(plain));
    const imported = OWN.map((one) => {
      const { zone, situation } = one;
      return [zone, zoneFile({ name: zone, text: '' }, `${before(situation)}\n${own('zone', one)}`, [])] as const;
    });
    await startPrimary(sandbox, LOADED, new Map(imported));
  }, SEVERAL_MINUTES);
  afterAll(() => sandbox?.[Symbol.asyncDispose]());

  const update = async (name: string, script: string) =>
    sandbox.run('nsupdate', await sandbox.write(name, `server ${UPDATED}\n${script}`));

  describe.each(OWN)('$id', (one) => {
    const { situation, zone } = one;
    const { published, after, in: formats } = situation;

    test('zone text adds what is missing', async () => {
      const misplaced = published.filter((row) => !after.includes(row));
      const wanted = formats.includes('zone') ? [...after, ...misplaced] : published;
      const all = new Set(rowTexts(wanted));
      expect(new Set(await read(LOADED, situation))).toEqual(all);
    });

    test('nsupdate changes what must be changed, and only once', async () => {
      const script = own('nsupdate', one);
      const isApplied = formats.includes('nsupdate');
      await update(zone, script);
      expect(await read(UPDATED, situation)).toEqual(rowTexts(isApplied ? after : published));
      if (isApplied) await expect(update(zone, script)).rejects.toThrow(/update failed: (NXRRSET|YXRRSET|YXDOMAIN)/);
    });
  });

  test('nothing changes if another record was added since', async () => {
    const { situation, zone } = OWN[2]!;
    const since: FileSituation = { ...situation, published: situation.published.slice(1) };
    await expect(update('since', own('nsupdate', { id: '', zone, situation: since }))).rejects.toThrow(/NXRRSET/);
    expect(await read(UPDATED, situation)).toEqual(rowTexts(situation.after));
  });
});

describe('after the changes the check finds the records OK', () => {
  let lab: Lab;
  beforeAll(async () => {
    lab = await startLab();
  }, SEVERAL_MINUTES);
  afterAll(() => lab?.[Symbol.asyncDispose]());

  const check = (domain: string, ...args: string[]) => {
    const kinds = ['dkim', 'mx', 'spf', 'dmarc'] as const;
    const dns = kinds.map((kind) => ({ ...listedRecord(kind, domain), is_valid: false }));
    return runCheckCommand(
      [{ name: domain, mail_from_domain: `bounce.${domain}`, dns }],
      ['--resolver', lab.resolver(), ...args],
    );
  };

  test('by zone text', async () => {
    await lab.publish(ownZone('byzone.com', 'dkim', ['other A 192.0.2.1']));
    const { out, code } = await check('byzone.com', '--fixes', 'zone');
    expect(code).toBe(1);
    await lab.publish(ownZone('byzone.com', 'dkim', [out]));
    expect(await check('byzone.com', '--authoritative', 'on', '-q')).toMatchObject({ code: 0, out: '' });
  });

  test('by nsupdate, which replaces what is wrong', async () => {
    const lines = [
      'k1._domainkey CNAME k9.dkim.mailprovider.net.',
      'bounce MX 0 .',
      'bounce TXT "v=spf1 -all"',
      'bounce TXT "token=1"',
      '_dmarc.byupdate.com TXT "v=DMARC1; p=none"',
    ];
    const zone = ownZone('byupdate.com', ['dkim', 'mx', 'spf', 'dmarc'], lines);
    await lab.publish(zone);
    const { out } = await check('byupdate.com', '--fixes', 'nsupdate');
    expect(out).not.toContain('Not in this file:');
    // Each name server of the lab has a zone of its own.
    for (const address of Object.values<string>({ ...AUTHORITIES.dnshost1, ...AUTHORITIES.dnshost2 })) {
      await lab.update(`server ${address}\n${out}`);
    }
    expect(await check('byupdate.com', '--authoritative', 'on', '-q')).toMatchObject({ code: 0, out: '' });
  });
});
