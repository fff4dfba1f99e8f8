/** A command that cannot be carried out. The message is for the person who gave it. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
