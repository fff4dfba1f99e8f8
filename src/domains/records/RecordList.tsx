import { IconChevronRight } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReadableDomain } from '#contract/domains/domain.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { Section } from '../../ui/Section.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { useLatestCheck } from '../check/latestCheck.ts';
import { recognizeDnsHost } from '../zone/recognizeDnsHost.ts';
import { Notice } from '../../ui/Notice.tsx';
import { TurnChip } from './FindingDetail.tsx';
import { findSharedFinding, hasFinding, stateOf, type Item } from './items.ts';
import classes from './RecordList.module.css';
import { RecordLine } from './RecordLine.tsx';
import { useSteadyOrder } from './useSteadyOrder.ts';

type Props = { domain: ReadableDomain; items: readonly Item[]; latest: ReturnType<typeof useLatestCheck> };

/** Each record and piece of advice on a line of its own, what needs fixing first. */
export function RecordList({ domain, items, latest: { error, retry, isLoading, isFetching } }: Props) {
  const records = domain.dns ?? [];
  const shown = useSteadyOrder(items, isFetching);
  const [isOpen, setOpen] = useState(false);
  const found = items.flatMap(({ finding }) => finding ?? []);
  const right = shown.filter(isRightAdvice);
  const shared = findSharedFinding(items);
  const isFolded = (item: Item) => right.length > 1 && isRightAdvice(item);
  const toLine = (item: Item) => (
    <RecordLine
      key={item.key}
      domain={domain}
      item={item}
      isSaid={hasFinding(item, shared)}
      number={item.record === null ? null : records.indexOf(item.record) + 1}
      dnsHost={recognizeDnsHost(found, item.finding?.zone ?? null)}
    />
  );
  return (
    <Section
      id="dns-records"
      title="DNS records"
      rightSection={<span className={classes.count}>{records.length}</span>}
    >
      {error !== null && <ErrorAlert error={error} onRetry={retry} />}
      {shared !== null && (
        <Notice tone={shared.result === 'fail' ? 'bad' : 'neutral'} title={shared.diagnosis}>
          <TurnChip turn={shared.turn} />
        </Notice>
      )}
      {shown.length === 0 && <p className={classes.none}>The service lists no DNS records for this domain.</p>}
      {shown.length > 0 && (
        <ol className={classes.list} aria-busy={isLoading}>
          {shown.filter((item) => !isFolded(item)).map(toLine)}
          {right.length > 1 && (
            <li>
              <RightAdvice titles={right.map(({ title }) => title)} isOpen={isOpen} toggle={() => setOpen(!isOpen)} />
            </li>
          )}
          {isOpen && right.map(toLine)}
        </ol>
      )}
    </Section>
  );
}

const isRightAdvice = (item: Item) => item.record === null && stateOf(item) === 'ok';

type RightProps = { titles: readonly string[]; isOpen: boolean; toggle: () => void };

/** What isn't listed and right, on one line. */
function RightAdvice({ titles, isOpen, toggle }: RightProps) {
  return (
    <div className={classes.item} data-short>
      <div className={classes.line}>
        <span className={classes.state}>
          <StatusBadge tone="good">OK</StatusBadge>
        </span>
        <span className={classes.title}>Also right</span>
        <span className={classes.diagnosis}>{titles.join(', ')}</span>
        <span className={classes.end}>
          <button
            type="button"
            className={classes.toggle}
            aria-expanded={isOpen}
            aria-label="Details of what is also right"
            onClick={toggle}
          >
            <IconChevronRight size={14} aria-hidden />
          </button>
        </span>
      </div>
    </div>
  );
}
