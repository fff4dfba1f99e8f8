/** Groups requests as a run; the value is a UUID of the client. */
export const RUN_HEADER = 'sendroom-run';
