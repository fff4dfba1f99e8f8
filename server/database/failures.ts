/** The database cannot be opened. The message is one sentence for the person who starts the service. */
export class DatabaseUnavailable extends Error {
  override readonly name = 'DatabaseUnavailable';
}

/** Another process held the write lock too long; nothing was changed, and trying again later may succeed. */
export class DatabaseBusy extends Error {
  override readonly name = 'DatabaseBusy';

  constructor(cause: unknown) {
    super('Another process is writing to the database.', { cause });
  }
}

/** There is no room for what should be written; nothing was changed. */
export class DatabaseFull extends Error {
  override readonly name = 'DatabaseFull';

  constructor(cause: unknown) {
    super('There is no room left on the disk of the database.', { cause });
  }
}
