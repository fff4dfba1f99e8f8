import { chmod, chown, link, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { killServices, startMain, startService } from '../../testing/testMain.ts';
import { openDatabase } from '../openDatabase.ts';
import { createFileStorage, type TestStorage } from '../../testing/testDatabase.ts';

// The service as a process, on files that others can access.

let place: TestStorage;
let file: string;
beforeEach(async () => {
  place = await createFileStorage();
  file = join(place.folder, 'test.db');
  await (await openDatabase(place.url)).close();
});
afterEach(async () => {
  killServices();
  await place[Symbol.asyncDispose]();
});

/** The message of a service that does not start. */
async function refusal(path = file): Promise<string> {
  const service = startMain({ DATABASE_URL: `file:${path}`, DEMO: 'off', LOG_LEVEL: 'silent' });
  service.address.then(
    () => service.stop(),
    () => {},
  );
  const code = await service.ended;
  return `${code} ${service.stdout()}`;
}

describe('a service does not start on data that other users can reach', () => {
  test.each([0o604, 0o602, 0o640, 0o620, 0o666])('a file of mode %d (decimal)', async (mode) => {
    await chmod(file, mode);
    expect(await refusal()).toBe(
      `1 Other users of this machine can reach ${file}: take that from them (chmod 600), and look whether somebody changed it.\n`,
    );
    expect((await stat(file)).mode & 0o777).toBe(mode);
  });

  test.each(['-wal', '-shm'])('its %s', async (ending) => {
    await writeFile(file + ending, '', { mode: 0o600 });
    await chmod(file + ending, 0o666);
    expect(await refusal()).toMatch(new RegExp(`^1 Other users of this machine can reach ${file}${ending}: `));
  });

  if (process.getuid?.() === 0) {
    test('a -wal that somebody else put beside it', async () => {
      await writeFile(`${file}-wal`, '', { mode: 0o600 });
      await chown(`${file}-wal`, 65_534, 65_534);
      expect(await refusal()).toBe(`1 ${file}-wal belongs to another user than ${file}: find out who put it there.\n`);
    });
  }

  test('a folder in which everybody can put another file in its place', async () => {
    await chmod(place.folder, 0o757);
    expect(await refusal()).toBe(
      `1 Every user of this machine can put another file in the place of ${file}: take that from them (chmod o-w on its folder).\n`,
    );
  });
});

const secondName = (path: string) =>
  `1 ${path} has a second name (a hard link), under which another service could run on it: remove one of them.\n`;

test('a file with a second name is refused, so that one database has one service', async () => {
  const other = join(place.folder, 'elsewhere');
  await mkdir(other);
  const first = await startService(place.url);
  await link(file, join(other, 'same.db'));
  expect(await refusal(join(other, 'same.db'))).toBe(secondName(join(other, 'same.db')));
  expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
  await first.kill();
  // The first one: neither name is better than the other.
  expect(await refusal()).toBe(secondName(file));
  await rm(join(other, 'same.db'));
  await (await startService(place.url)).kill();
});

test('what older installations have goes on: a folder others may list, a lock others may read, a link', async () => {
  await chmod(place.folder, 0o755);
  await writeFile(`${file}-service`, '');
  await chmod(`${file}-service`, 0o644);
  const link = join(place.folder, 'link.db');
  await symlink(file, link);
  const service = await startService(`file:${link}`);
  expect((await fetch(`${service.address}/readyz`)).status).toBe(200);
  // Whoever can read a lock file can hold the lock, and prevent the service from starting.
  expect((await stat(`${file}-service`)).mode & 0o777).toBe(0o600);
  await service.kill();
});

test('in a folder like /tmp, where nobody replaces the file of another, and in one of a group, it starts', async () => {
  for (const mode of [0o1777, 0o2775]) {
    await chmod(place.folder, mode);
    await (await startService(place.url)).kill();
  }
});
