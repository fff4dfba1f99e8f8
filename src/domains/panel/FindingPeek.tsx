import { lazy, Suspense, useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { usePageActions } from '../../ui/page/actions.ts';
import type { DomainRow } from '../table/rows/domainRow.ts';

const FindingPanel = lazy(async () => ({ default: (await import('./FindingPanel.tsx')).FindingPanel }));

type Props = { table: RefObject<HTMLElement | null>; rows: readonly DomainRow[] };

/** The side panel: the findings of the row with the focus. Escape closes it until it is asked for. */
export function FindingPeek({ table, rows }: Props) {
  const [uuid, setUuid] = useState<string | null>(null);
  const [isClosed, setClosed] = useState(false);
  const peeked = rows.find((row) => row.uuid === uuid) ?? null;
  const open = (row: DomainRow | undefined) => {
    if (row === undefined) return;
    setClosed(false);
    setUuid(row.uuid);
  };
  const close = () => {
    // From the panel the focus returns to the row.
    const at = rows.findIndex((row) => row.uuid === uuid);
    if (!table.current?.contains(document.activeElement)) rowsIn(table)[at]?.querySelector('a')?.focus();
    setClosed(true);
    setUuid(null);
  };
  useRowEvents(table, {
    focus: (at, target) => {
      // A mouse click focuses too, and may only lead to the page of the domain.
      if (!isClosed && (uuid !== null || target.matches(':focus-visible'))) setUuid(rows[at]?.uuid ?? null);
    },
    click: (at) => open(rows[at]),
    escape: () => uuid !== null && close(),
  });
  usePageActions([
    peeked === null
      ? {
          id: 'findings',
          label: 'Show the findings of a row next to the table',
          run: () =>
            open(
              rows[
                Math.max(
                  0,
                  rowsIn(table).findIndex((row) => row.contains(document.activeElement)),
                )
              ],
            ),
        }
      : { id: 'findings', label: 'Hide the findings next to the table', run: close },
  ]);
  if (peeked === null) return null;
  return (
    <Suspense>
      <FindingPanel key={peeked.uuid} row={peeked} onClose={close} />
    </Suspense>
  );
}

const rowsIn = (table: RefObject<HTMLElement | null>) => [
  ...(table.current?.querySelectorAll<HTMLElement>('tbody[data-rows] > tr') ?? []),
];

/** As in SidePanel.module.css. */
const hasRoom = () => window.matchMedia('(min-width: 1100.1px)').matches;

type Listeners = {
  focus: (at: number, target: Element) => void;
  /** A plain click of the mouse on a finding; others follow its link. */
  click: (at: number) => void;
  escape: () => void;
};

function useRowEvents(table: RefObject<HTMLElement | null>, listeners: Listeners): void {
  const receive = useEffectEvent((event: Event) => {
    if (!(event.target instanceof Element)) return;
    const { target } = event;
    const at = rowsIn(table).findIndex((row) => row.contains(target));
    if (event instanceof KeyboardEvent) {
      if (event.key === 'Escape' && at >= 0) listeners.escape();
    } else if (event instanceof MouseEvent) {
      const isPlain = event.detail > 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
      if (at < 0 || !isPlain || target.closest('[data-peek]') === null || !hasRoom()) return;
      event.preventDefault();
      event.stopPropagation();
      listeners.click(at);
    } else if (at >= 0) listeners.focus(at, target);
  });
  useEffect(() => {
    const element = table.current;
    const ended = new AbortController();
    const listen = (event: Event) => receive(event);
    for (const type of ['focusin', 'keydown']) element?.addEventListener(type, listen, { signal: ended.signal });
    // Before the link follows the click.
    element?.addEventListener('click', listen, { signal: ended.signal, capture: true });
    return () => ended.abort();
  }, [table]);
}
