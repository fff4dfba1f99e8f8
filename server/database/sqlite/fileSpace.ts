import { open, rm, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Bytes. */
export type FileSpace = {
  file: number;
  /** The write-ahead log beside it. */
  wal: number;
  /** Of the disk, as far as this user may fill it. */
  disk_free: number;
  disk_size: number;
};

/** As much as a small write takes, with its log. */
const PROBE = Buffer.alloc(64 * 1024);

export async function fileSpace(file: string): Promise<FileSpace> {
  const [{ size }, wal, { bsize, bavail, blocks }] = await Promise.all([
    stat(file),
    // It is there while the file is open.
    stat(`${file}-wal`),
    statfs(dirname(file)),
  ]);
  return { file: size, wal: wal.size, disk_free: bsize * bavail, disk_size: bsize * blocks };
}

/**
 * Rejects when nothing can be written beside the file: the disk is full, read-only or broken. Not into the file itself: a
 * write there waits for others, and an empty one succeeds on a full disk.
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
