/** The database cannot be opened. The message is one sentence for the person who starts the service. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
}

/** Other writes kept the database busy too long. Nothing was changed, and a retry may succeed. */
export class DatabaseBusyError extends Error {
  override readonly name = 'DatabaseBusyError';

  constructor(cause: unknown, sentence = 'Another process is writing to the database.') {
    super(sentence, { cause });
  }
}

/** A statement waited too long for a lock that another transaction holds. */
export class LockTimeoutError extends DatabaseBusyError {}

/** The disk is full. Nothing was changed. */
export class DatabaseFullError extends Error {
  override readonly name = 'DatabaseFullError';

  constructor(cause: unknown) {
    super('There is no room left on the disk of the database.', { cause });
  }
}

/** The database server doesn't respond, or accepts no writes. Nothing was changed. */
export class DatabaseGoneError extends Error {
  override readonly name = 'DatabaseGoneError';

  constructor(cause: unknown, sentence = 'The database does not answer.') {
    super(sentence, { cause });
  }
}

/** One machine of several doesn't respond. The connection to the one that was asked is as good as before. */
export class MachineGoneError extends DatabaseGoneError {}

/** The connection broke during a commit, so it is unknown whether the change was made. */
export class CommitUncertainError extends Error {
  override readonly name = 'CommitUncertainError';

  constructor(cause: unknown) {
    super('The database went away while it wrote: look whether the change was made before you repeat it.', { cause });
  }
}

/** A list or a search took too long and was cancelled. */
export class ReadTimeoutError extends Error {
  override readonly name = 'ReadTimeoutError';

  constructor(cause: unknown) {
    super('This list or search took too long: search for something more exact, or try again later.', { cause });
  }
}
