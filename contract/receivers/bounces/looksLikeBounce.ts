/** An enhanced status code that says that mail wasn't accepted (RFC 3463), and no part of an address or version. */
const ENHANCED = /(?<![\w.])[45]\.[0-7]\.\d{1,3}(?![\w.]*\d)/;
/** A reply code of such a kind (RFC 5321), where a reply begins, with words after it. */
const REPLY = /(?:^|[\n:;"'<]|said|returned) {0,3}[45]\d\d[ -] {0,3}[^\d\s]/;

/** Whether a text has what only SMTP replies have. Says nothing about whether its meaning is known. */
export const looksLikeBounce = (text: string): boolean => ENHANCED.test(text) || REPLY.test(text);
