import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';
import type { Zone } from './situation.ts';

export type ZoneSigner = {
  /** The same zone with signatures. */
  sign: (zone: string, file: string, how: NonNullable<Zone['signed']>) => Promise<string>;
  /** DS records for the zone above, as lines. */
  dsLines: (zone: string) => Promise<string[]>;
  /** The trust anchor of a resolver for a signed zone. */
  trustAnchor: (zone: string) => Promise<string>;
};

const NOW = ['-s', 'now-1h', '-e', 'now+2d'];
const LONG_AGO = ['-s', '20240101000000', '-e', '20240201000000'];

const folderOf = (zone: string) => `keys-${zone || 'root'}`;

/** Signs zones, each with one key that is generated when it is needed. */
export function createZoneSigner(sandbox: Sandbox): ZoneSigner {
  const keys = new Map<string, Promise<string>>();
  const signed = new Map<string, Promise<string>>();

  /** Path of the key without its suffix. */
  const keyOf = (zone: string): Promise<string> => {
    const make = async () => {
      const folder = await sandbox.folder(folderOf(zone));
      const flags = ['-q', '-K', folder, '-a', 'ECDSAP256SHA256', '-f', 'KSK'];
      return join(folder, (await sandbox.run('dnssec-keygen', ...flags, `${zone}.`)).trim());
    };
    const key = keys.get(zone) ?? make();
    keys.set(zone, key);
    return key;
  };

  const sign = async (
    zone: string,
    file: string,
    how: NonNullable<Zone['signed']>,
    number: number,
  ): Promise<string> => {
    const key = await keyOf(zone);
    const plain = await sandbox.write(
      `${folderOf(zone)}/plain-${number}`,
      `${file}\n${await readFile(`${key}.key`, 'utf8')}`,
    );
    const output = `${plain}.signed`;
    const time = how === 'expired' ? LONG_AGO : NOW;
    // One key for everything (-z), without validation (-P), because some zones are broken on purpose.
    const flags = ['-q', '-z', '-P', '-O', 'full', '-d', join(key, '..'), ...time, '-o', `${zone}.`, '-f', output];
    await sandbox.run('dnssec-signzone', ...flags, plain, key);
    const text = await readFile(output, 'utf8');
    return how === 'broken' ? text.replaceAll(/(\sIN\s+RRSIG\s+(?!DNSKEY).*\s)(\S)(?=\S+$)/gm, spoil) : text;
  };

  return {
    sign: (zone, file, how) => {
      const known = signed.get(`${how} ${file}`) ?? sign(zone, file, how, signed.size);
      signed.set(`${how} ${file}`, known);
      return known;
    },
    dsLines: async (zone) => {
      const key = await keyOf(zone);
      return (await sandbox.run('dnssec-dsfromkey', '-2', `${key}.key`)).trim().split('\n');
    },
    trustAnchor: async (zone) => {
      const key = await readFile(`${await keyOf(zone)}.key`, 'utf8');
      const [, flags, protocol, algorithm, data = ''] = /DNSKEY (\d+) (\d+) (\d+) (.+)/.exec(key) ?? [];
      return `  ${zone}. static-key ${flags} ${protocol} ${algorithm} "${data.replaceAll(' ', '')}";\n`;
    },
  };
}

function spoil(_: string, before: string, first: string): string {
  return `${before}${first === 'A' ? 'B' : 'A'}`;
}
