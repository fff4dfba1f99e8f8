import * as fc from 'fast-check';

/**
 * Any text, half characters too. For tests: fast-check's own `binary` unit does the same, but takes seconds to set up.
 */
export const anyText = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((codes) => String.fromCharCode(...codes));
