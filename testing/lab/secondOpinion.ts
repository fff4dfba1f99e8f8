import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { environmentOf, unpackPackages } from '../programs/debianPackages.ts';
import { SECOND_OPINIONS } from '../programs/nameServers.ts';

// The judgement of independent programs about a record: pyspf and libopendmarc, both from Debian.

const SCRIPT = join(import.meta.dirname, 'secondOpinion.py');

export type PublishedRecord = { domain: string; record: string };

export type Opinions = {
  /** `pass`, `softfail`, `permerror` and so on, for each sender. */
  spf: string[];
  /** 0 for each valid record. */
  dmarc: number[];
};

/** Whether `address` may send for a domain that publishes an SPF record, and whether DMARC records can be read. */
export async function secondOpinions(
  resolver: string,
  asked: { spf: readonly (PublishedRecord & { address: string })[]; dmarc: readonly PublishedRecord[] },
): Promise<Opinions> {
  await using folder = await unpacked();
  const packages = join(folder.path, 'usr/lib/python3/dist-packages');
  const python = ['/usr/bin/python3', join(folder.path, 'usr/bin/python3')].find(existsSync) ?? 'python3';
  const child = spawn(python, [SCRIPT], { env: environmentOf(folder.path), stdio: ['pipe', 'pipe', 'pipe'] });
  child.stdin.end(JSON.stringify({ packages, resolver, ...asked }));
  const [said, complaint] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (said === '') throw new Error(`The second opinion failed: ${complaint}`);
  return JSON.parse(said) as Opinions;
}

async function unpacked(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'sendroom-opinions-'));
  const remove = () => rm(path, { recursive: true, force: true });
  try {
    unpackPackages(SECOND_OPINIONS, path);
  } catch (error) {
    await remove();
    throw error;
  }
  return { path, [Symbol.asyncDispose]: remove };
}
