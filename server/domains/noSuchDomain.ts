import { ProblemError } from '../http/problems.ts';

/** The same message for a domain of another workspace. */
export function throwNoSuchDomain(): never {
  throw new ProblemError(404, 'There is no such domain in this workspace.');
}
