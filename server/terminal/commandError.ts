/** An error of the user or the environment. The message is shown without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
