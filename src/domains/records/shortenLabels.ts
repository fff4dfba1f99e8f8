/** Characters of a label of a name. A longer one is an ID or a key, whose beginning and end are enough in a sentence. */
const LABEL_MAX = 24;
const LABEL = new RegExp(`[0-9A-Za-z_-]{${LABEL_MAX + 1},}`, 'g');

/** A sentence whose long labels are cut in the middle: "cce0e3…68e7._domainkey.mail.example.com". */
export const shortenLabels = (sentence: string): string =>
  sentence.replaceAll(LABEL, (label) => `${label.slice(0, 6)}…${label.slice(-4)}`);
