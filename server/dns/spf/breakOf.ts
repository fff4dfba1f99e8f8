import type { SpfBreak } from '../catalogue/spfBreak.ts';
import { ownTerm, type SpfPermerror } from './evaluation.ts';
import { shortened, shortenedAll } from './shortened.ts';

/** A permanent error as facts. */
export function breakOf(fault: SpfPermerror): SpfBreak {
  return {
    kind: fault.kind,
    term: shortened(ownTerm(fault)),
    target: 'target' in fault ? shortened(fault.target) : '',
    at: shortened(mendedAt(fault)),
    words: 'words' in fault ? shortenedAll(fault.words) : [],
    count: 'count' in fault ? fault.count : 0,
  };
}

/** Whose record has to be mended, where that is not the first record. */
function mendedAt(fault: SpfPermerror): string {
  if ((fault.kind === 'several' || fault.kind === 'syntax' || fault.kind === 'long') && fault.text !== '')
    return fault.target;
  return fault.way.length === 0 ? '' : fault.at;
}
