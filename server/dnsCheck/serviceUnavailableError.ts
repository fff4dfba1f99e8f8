import { CommandError } from '../terminal/commandError.ts';

/** The service does not respond. A later run may succeed. */
export class ServiceUnavailableError extends CommandError {}
