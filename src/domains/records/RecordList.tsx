import type { ReadableDomain } from '#contract/domain.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { Section } from '../../ui/Section.tsx';
import type { useLatestCheck } from '../check/latestCheck.ts';
import { recognizeDnsHost } from '../zone/recognizeDnsHost.ts';
import type { Item } from './items.ts';
import classes from './RecordList.module.css';
import { RecordLine } from './RecordLine.tsx';
import { useSteadyOrder } from './useSteadyOrder.ts';

type Props = { domain: ReadableDomain; items: readonly Item[]; latest: ReturnType<typeof useLatestCheck> };

/** Each record and piece of advice on a line of its own, what needs fixing first. */
export function RecordList({ domain, items, latest: { error, retry, isLoading, isFetching } }: Props) {
  const records = domain.dns ?? [];
  const shown = useSteadyOrder(items, isFetching);
  const found = items.flatMap(({ finding }) => finding ?? []);
  return (
    <Section
      id="dns-records"
      title="DNS records"
      rightSection={<span className={classes.count}>{records.length}</span>}
    >
      {error !== null && <ErrorAlert error={error} onRetry={retry} />}
      {shown.length === 0 && <p className={classes.none}>The service lists no DNS records for this domain.</p>}
      {shown.length > 0 && (
        <ol className={classes.list} aria-busy={isLoading}>
          {shown.map((item) => (
            <RecordLine
              key={item.key}
              domain={domain}
              item={item}
              number={item.record === null ? null : records.indexOf(item.record) + 1}
              dnsHost={recognizeDnsHost(found, item.finding?.zone ?? null)}
            />
          ))}
        </ol>
      )}
    </Section>
  );
}
