import { open, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Sizes in bytes. */
export type FileSpace = {
  file: number;
  /** Its write-ahead log. */
  wal: number;
  /** What this user may still write to the disk. */
  disk_free: number;
  disk_size: number;
};

/** The size of a small write with its log. */
const PROBE = Buffer.alloc(64 * 1024);

/** The sizes of a database that is open, and of its disk. */
export async function fileSpace(file: string): Promise<FileSpace> {
  const [{ size }, wal, { bsize, bavail, blocks }] = await Promise.all([
    stat(file),
    // Exists while the database is open.
    stat(`${file}-wal`),
    statfs(dirname(file)),
  ]);
  return { file: size, wal: wal.size, disk_free: bsize * bavail, disk_size: bsize * blocks };
}

/**
 * Rejects when nothing can be written next to the file, because the disk is full, read-only or broken. The database itself is not
 * used: a write there waits for others, and an empty write succeeds on a full disk.
 */
export async function probeDisk(file: string): Promise<void> {
  const probe = `${file}-probe`;
  try {
    await using handle = await open(probe, 'w', 0o600);
    await handle.write(PROBE);
    await handle.sync();
  } finally {
    await rm(probe, { force: true });
  }
}
