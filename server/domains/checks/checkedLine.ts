import type { CheckLine } from '#contract/domains/dnsCheck.ts';
import type { Advice } from '../../dns/advice.ts';
import type { RecordCheck } from '../../dns/checkDomain.ts';

/** What a check found about one record, or one other subject of the domain. */
export type CheckedLine = RecordCheck | Advice | Extract<CheckLine, { kind: 'watch' }>;
