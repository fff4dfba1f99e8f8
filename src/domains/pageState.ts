import type { ReadableDomain } from '#contract/domains/domain.ts';
import { judgeDomainState } from '#contract/domains/domainState.ts';
import type { Tone } from '../ui/values/StatusBadge.tsx';
import { formatCount } from '../ui/format/formatCount.ts';
import { stateOf, type Item } from './records/items.ts';

export type PageState = { tone: Tone; label: string; rest: string };

/** The one state of a domain, with what it counts: "Needs fixing: 3 of 5 · 11 addresses affected". */
export function describePageState(
  domain: ReadableDomain,
  items: readonly Item[],
  addressCount: number | null = null,
): PageState {
  const judged = items.flatMap(({ finding, record, verdict }) =>
    finding === null
      ? []
      : {
          result: finding.result,
          index: record === null ? null : (domain.dns ?? []).indexOf(record),
          accepted: verdict?.accepted ?? null,
        },
  );
  switch (judgeDomainState(domain, judged)) {
    case 'failing':
      return {
        tone: 'bad',
        label: 'Needs fixing',
        rest: countOf(items, 'fail', describeAddresses(addressCount)),
      };
    case 'pending':
      return items.some((item) => stateOf(item) === 'pending')
        ? { tone: 'wait', label: 'Propagating', rest: countOf(items, 'pending') }
        : { tone: 'wait', label: 'Being set up', rest: describeSetup(items) };
    case 'warning':
      return { tone: 'warn', label: 'Advice', rest: countOf(items, 'warn', 'nothing needs fixing') };
    case 'healthy':
      return { tone: 'good', label: 'OK', rest: countOf(items, 'ok') };
    case null:
      return { tone: 'neutral', label: 'Unknown', rest: 'the service doesn’t send the state of the domain' };
  }
}

function describeSetup(items: readonly Item[]): string {
  const records = items.filter(({ record }) => record !== null);
  const right = records.filter((item) => stateOf(item) === 'ok').length;
  if (records.length === 0) return 'waiting for the provider';
  return right === records.length
    ? 'all records are OK, waiting for the provider'
    : `${right} of ${records.length} records OK`;
}

/** "3 of 5, DMARC, 1 accepted": the records in this state, the titles of advice in it, and accepted faults. */
function countOf(items: readonly Item[], state: ReturnType<typeof stateOf>, then = ''): string {
  const records = items.filter(({ record }) => record !== null);
  const count = records.filter((item) => stateOf(item) === state).length;
  const accepted = items.filter((item) => stateOf(item) === 'accepted').length;
  const isAdvice = state !== 'ok';
  const advice = items.filter((item) => isAdvice && item.record === null && stateOf(item) === state);
  const parts = [
    count > 0 || (advice.length === 0 && records.length > 0 && state === 'ok') ? `${count} of ${records.length}` : '',
    ...advice.map(({ title }) => title),
    accepted > 0 ? `${accepted} accepted` : '',
  ].filter((part) => part !== '');
  return [parts.join(', '), then].filter((part) => part !== '').join(' · ');
}

function describeAddresses(count: number | null): string {
  if (count === null || count === 0) return '';
  return count === 1 ? '1 address affected' : `${formatCount(count)} addresses affected`;
}
