import { spawnSync } from 'node:child_process';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { DrillResult } from './drill.ts';

const UNIT = join(import.meta.dirname, '../../deploy/sendroom.service');
/** Of 10; systemd calls scores from 2 on "OK". */
const EXPOSURE_MAX = 2;

/** What systemd's own tools report about the unit. */
export async function* testSystemdUnit(folder: string, installedAt: string): AsyncGenerator<DrillResult> {
  if (spawnSync('systemd-analyze', ['--version']).status !== 0) {
    yield { what: 'the unit of systemd', expected: 'no complaint', measured: 'no systemd here', holds: null };
    return;
  }
  const opt = join(folder, 'opt');
  await mkdir(opt);
  await symlink(installedAt, join(opt, 'sendroom'));
  const verify = `mount --make-rprivate / && mount --bind ${opt} /opt && exec systemd-analyze verify ${UNIT}`;
  const verified = spawnSync('unshare', ['--mount', 'sh', '-c', verify], { encoding: 'utf8' });
  yield {
    what: 'systemd-analyze verify',
    expected: 'no complaint',
    measured: verified.stderr.trim() || 'none',
    holds: verified.status === 0 && verified.stderr.trim() === '',
  };
  const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=yes', UNIT], { encoding: 'utf8' });
  const exposure = Number(/Overall exposure level [^:]*: ([\d.]+)/.exec(stdout)?.[1]);
  yield {
    what: 'systemd-analyze security',
    expected: `exposure below ${EXPOSURE_MAX} of 10`,
    measured: String(exposure),
    holds: exposure < EXPOSURE_MAX,
  };
}
