import { escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { describeCode } from '../records/describeCode.ts';

/** Where a few words alone have to say it, as in a cell, on a tile or in a filter. */
const WORDS: Readonly<Record<string, string>> = {
  ONLY_AT_DOMAIN: 'Only at the domain itself',
  NOT_ASKED: 'Not checked',
  TARGET_NOT_ASKED: 'Target not checked',
  SPF_NOT_ASKED: 'SPF not checked',
  OUT_OF_TIME: 'Check took too long',
  STILL_CACHED: 'Removed, but still cached',
  SEVERAL_CNAMES: 'More than one CNAME',
  MISSING_INSIDE: 'Missing in the internal DNS',
  ALIGNED_BY_DKIM: 'Aligned by DKIM only',
  ALIGNED_BY_SPF: 'Aligned by SPF only',
  SPF_MISSING: 'No SPF record',
  DMARC_MISSING: 'No DMARC record',
  DMARC_ABSENT: 'No DMARC record',
};

export const describeCause = (code: string): string =>
  escapeInvisible(Object.hasOwn(WORDS, code) ? (WORDS[code] ?? code) : describeCode(code));
