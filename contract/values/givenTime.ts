import * as z from 'zod/mini';
import { NO_TIME, parseInstant } from './instant.ts';

/** A time of a request, as lists accept it: in any zone, with or without milliseconds. What reads it uses `Date.parse`. */
export const GivenTime = z.string().check(
  z.refine((text) => parseInstant(text) !== null, { params: { sentence: NO_TIME } }),
  z.meta({ format: 'date-time' }),
);
