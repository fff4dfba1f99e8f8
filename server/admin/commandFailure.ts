/** A command that cannot be carried out. The message is for the person who gave it. */
export class CommandFailure extends Error {
  override readonly name = 'CommandFailure';
}
