import { CommandError } from '../terminal/commandError.ts';

/** The service that knows what to check does not answer: nothing is wrong with the job, and it may work later. */
export class ServiceUnavailableError extends CommandError {}
