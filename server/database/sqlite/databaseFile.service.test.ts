import { chmod, chown, link, mkdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDatabase } from '../openDatabase.ts';
import { createFileStorage, type TestStorage } from '../../testing/testDatabase.ts';

// The file of a service that others can access.

let place: TestStorage;
let file: string;
beforeEach(async () => {
  place = await createFileStorage();
  file = join(place.folder, 'test.db');
  await (await openDatabase(place.url)).close();
});
afterEach(() => place[Symbol.asyncDispose]());

const open = (path = file) => openDatabase(`file:${path}`, { isService: true });
const expectRefusal = (sentence: string, path = file) => expect(open(path)).rejects.toThrow(sentence);

describe('a service does not start on data that other users can reach', () => {
  test.each([0o604, 0o602, 0o640, 0o620, 0o666])('a file of mode %d (decimal)', async (mode) => {
    await chmod(file, mode);
    await expectRefusal(
      `Other users of this machine can reach ${file}: take that from them (chmod 600), and look whether somebody changed it.`,
    );
    expect((await stat(file)).mode & 0o777).toBe(mode);
  });

  test.each(['-wal', '-shm'])('its %s', async (ending) => {
    await writeFile(file + ending, '', { mode: 0o600 });
    await chmod(file + ending, 0o666);
    await expectRefusal(`Other users of this machine can reach ${file}${ending}: `);
  });

  test.runIf(process.getuid?.() === 0)('a -wal that somebody else put next to it', async () => {
    await writeFile(`${file}-wal`, '', { mode: 0o600 });
    await chown(`${file}-wal`, 65_534, 65_534);
    await expectRefusal(`${file}-wal belongs to another user than ${file}: find out who put it there.`);
  });

  test('a folder in which everybody can put another file in its place', async () => {
    await chmod(place.folder, 0o757);
    await expectRefusal(`Every user of this machine can put another file in the place of ${file}: take that from them`);
  });
});

test('a file with a second name is refused, so that one database has one service', async () => {
  const other = join(place.folder, 'elsewhere', 'same.db');
  await mkdir(join(other, '..'));
  const first = await open();
  await link(file, other);
  await expectRefusal(`${other} has a second name (a hard link), under which another service could run on it: `, other);
  await first.ready();
  await first.close();
  // Neither name is better than the other.
  await expectRefusal(`${file} has a second name`);
  await rm(other);
  await (await open()).close();
});

test('what older installations have goes on: a folder others may list, a lock others may read, a link', async () => {
  await chmod(place.folder, 0o755);
  await writeFile(`${file}-service`, '');
  await chmod(`${file}-service`, 0o644);
  await symlink(file, join(place.folder, 'link.db'));
  await (await open(join(place.folder, 'link.db'))).close();
  // A user who can read a lock file can hold the lock, and prevent the service from starting.
  expect((await stat(`${file}-service`)).mode & 0o777).toBe(0o600);
});

test('in a folder like /tmp, where nobody replaces the file of another, and in one of a group, it starts', async () => {
  for (const mode of [0o1777, 0o2775]) {
    await chmod(place.folder, mode);
    await (await open()).close();
  }
});
