/** The header by which a client says that several requests are one run. Its value is a UUID that the client made. */
export const RUN_HEADER = 'sendroom-run';
