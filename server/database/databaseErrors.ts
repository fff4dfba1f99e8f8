/** The database cannot be opened. The message is one sentence for the person who starts the service. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Others kept the database busy too long; nothing was changed, and trying again later may succeed. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';

  constructor(cause: unknown, sentence = 'Another process is writing to the database.') {
    super(sentence, { cause });
  }
}

/** Somebody else holds what a statement waited for. */
export class LockTimeoutError extends DatabaseBusyError {}

/** There is no room for what should be written; nothing was changed. */
export class DatabaseFullError extends Error {
  override readonly name = 'DatabaseFullError';

  constructor(cause: unknown) {
    super('There is no room left on the disk of the database.', { cause });
  }
}

/** The server of the database does not answer, or takes no writes now; nothing was changed. */
export class DatabaseGoneError extends Error {
  override readonly name = 'DatabaseGoneError';

  constructor(cause: unknown, sentence = 'The database does not answer.') {
    super(sentence, { cause });
  }
}

/** The server went away while it was told to keep a change, and nobody knows whether it did. */
export class CommitUncertainError extends Error {
  override readonly name = 'CommitUncertainError';

  constructor(cause: unknown) {
    super('The database went away while it wrote: look whether the change was made before you repeat it.', { cause });
  }
}

/** A list or a search took too long and was given up. */
export class ReadTimeoutError extends Error {
  override readonly name = 'ReadTimeoutError';

  constructor(cause: unknown) {
    super('This list or search took too long: search for something more exact, or try again later.', { cause });
  }
}
