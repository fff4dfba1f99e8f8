import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

export type SignedZone = { text: string; trustAnchor: string };

/** Signs a zone from `start` to `end`, which are times as `dnssec-signzone` knows them. */
export async function signZone(
  sandbox: Sandbox,
  zone: string,
  text: string,
  { start, end }: { start: string; end: string },
): Promise<SignedZone> {
  const folder = await sandbox.folder(`keys-${zone}`);
  const key = async (...flags: string[]) => {
    const name = await sandbox.run('dnssec-keygen', '-q', '-K', folder, '-a', 'ECDSAP256SHA256', ...flags, zone);
    return join(folder, name.trim());
  };
  const [forKeys, forZone] = [await key('-f', 'KSK'), await key()];
  const keys = await Promise.all([forKeys, forZone].map((path) => readFile(`${path}.key`, 'utf8')));
  const plain = await sandbox.write(`keys-${zone}/plain`, [text, ...keys].join('\n'));
  const signed = join(folder, 'signed');
  const time = ['-s', start, '-e', end];
  await sandbox.run('dnssec-signzone', '-q', '-P', ...time, '-o', zone, '-k', forKeys, '-f', signed, plain, forZone);
  return { text: await readFile(signed, 'utf8'), trustAnchor: anchorOf(zone, keys[0] ?? '') };
}

function anchorOf(zone: string, key: string): string {
  const [, flags, protocol, algorithm, data = ''] = /DNSKEY (\d+) (\d+) (\d+) (.+)/.exec(key) ?? [];
  return `  ${zone}. static-key ${flags} ${protocol} ${algorithm} "${data.replaceAll(' ', '')}";\n`;
}
