import { CloseButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react';
import { DOMAIN_STATES } from '#contract/domains/domainState.ts';
import { escapeHidden, escapeInvisible } from '#contract/values/invisibleCharacters.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { IgnoredParams } from '../../table/ListFrame.tsx';
import type { ListControl } from '../../table/useList.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { clockTime, useTimeZone } from '../../ui/format/time.ts';
import { keyRows } from '../../ui/page/keyRows.ts';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { describeState } from '../domainState.ts';
import { describeCause } from '../table/describeCause.ts';
import { worstFinding, type DomainRow } from '../table/rows/domainRow.ts';
import classes from './DomainWall.module.css';
import { wallQuery, type WallMoment } from './wallQuery.ts';

type Props = { list: ListControl; hasReports: boolean; moment: WallMoment; onClose: () => void };

/** Every domain as a tile, over the whole window. It reads itself again while it's visible, which keeps the session. */
export function DomainWall({ list, hasReports, moment, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const headingId = useId();
  const query = useQuery(wallQuery(list.state, hasReports, moment));
  const zone = useTimeZone();

  // A layout effect closes it before it is removed, which restores the focus.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    heading.current?.focus();
    return () => element?.close();
  }, []);

  const { rows = [], total = 0 } = query.data ?? {};
  const leftOut = total - rows.length;
  return (
    <dialog
      ref={dialog}
      className={classes.wall}
      aria-labelledby={headingId}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
    >
      <header className={classes.head}>
        <h2 ref={heading} id={headingId} tabIndex={-1} className={classes.title}>
          {query.data === undefined ? 'Domains' : `${formatCount(total)} ${total === 1 ? 'domain' : 'domains'}`}
        </h2>
        <Counts rows={rows} />
        <p className={classes.facts}>
          {leftOut > 0 && <b>{formatCount(leftOut)} more are not shown. </b>}
          {query.dataUpdatedAt > 0 && `As of ${clockTime(query.dataUpdatedAt, zone)}`}
        </p>
        <CloseButton aria-label="Close the wall" title="Close (Esc)" onClick={onClose} />
      </header>
      <Suspense>{list.ignored.length > 0 && <IgnoredParams list={list} />}</Suspense>
      {query.isError && <ErrorAlert error={query.error} onRetry={() => void query.refetch()} />}
      {query.isPending && <p role="status">Reading the domains…</p>}
      {query.data !== undefined && total === 0 && <p>No domains.</p>}
      <Tiles rows={rows} />
    </dialog>
  );
}

function Counts({ rows }: { rows: readonly DomainRow[] }) {
  const states = [...DOMAIN_STATES.toReversed(), null];
  return (
    <ul className={classes.counts}>
      {states.map((state) => {
        const count = rows.filter((row) => row.state === state).length;
        const { tone, label } = describeState(state);
        return (
          count > 0 && (
            <li key={label} className="state-icon" data-tone={tone}>
              {label} <b>{formatCount(count)}</b>
            </li>
          )
        );
      })}
    </ul>
  );
}

/** In pixels of a window of 1920 by 1080. `HEIGHT` is what tiles with words may take of it. */
const WIDTH = 1888;
const HEIGHT = 640;
const GAP = 6;
const SIZES = [32, 28, 24, 22, 20, 18, 16, 14];

/** The largest letters with which so many tiles have room: they are 13 letters wide and 3.1 high, as in DomainWall.module.css. */
function fitSize(count: number): number {
  const fits = (size: number) => {
    const columns = Math.floor((WIDTH + GAP) / (13 * size + GAP));
    return Math.ceil(count / columns) * (3.1 * size + GAP) <= HEIGHT;
  };
  return SIZES.find(fits) ?? 14;
}

/** So many others have room for their names. */
const NAMED_MAX = 70;

const isBad = ({ state }: DomainRow) => state === 'failing';

/** Those that need fixing have words; the others share the rest of the window, with their names if they are few. */
function Tiles({ rows }: { rows: readonly DomainRow[] }) {
  const [bad, others] = [keyRows(rows.filter(isBad)), keyRows(rows.filter((row) => !isBad(row)))];
  const columns = others.length > NAMED_MAX ? Math.ceil(Math.sqrt(others.length * 2.4)) : 7;
  const { current, handlers } = useArrowKeys();
  const tabIndexOf = (key: string) => (key === (current ?? bad[0]?.key ?? others[0]?.key) ? 0 : -1);
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- the arrow keys move between its links
    <div className={classes.tiles} {...handlers}>
      {bad.length > 0 && (
        <ul
          className={classes.bad}
          style={{ '--size': fitSize(bad.length) } as React.CSSProperties}
          aria-label="Domains that need fixing"
        >
          {bad.map(({ key, row }) => (
            <li key={key}>
              <Link
                to={paths.domain(row.domain.name)}
                className={classes.tile}
                data-key={key}
                tabIndex={tabIndexOf(key)}
                data-state="failing"
              >
                <bdi className={classes.name}>{escapeHidden(row.domain.name)}</bdi>
                <span className={classes.cause}>{describeWorst(row)}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
      {others.length > 0 && (
        <ul
          className={classes.others}
          style={{ '--columns': columns, '--rows': Math.ceil(others.length / columns) } as React.CSSProperties}
          aria-label="Other domains"
        >
          {others.map(({ key, row }) => {
            const words = `${escapeInvisible(row.domain.name)}: ${describeState(row.state).label}`;
            return (
              <li key={key}>
                <Link
                  to={paths.domain(row.domain.name)}
                  className={classes.tile}
                  data-key={key}
                  data-state={row.state ?? 'unknown'}
                  tabIndex={tabIndexOf(key)}
                  aria-label={words}
                  title={words}
                >
                  {others.length <= NAMED_MAX && <bdi className={classes.name}>{escapeHidden(row.domain.name)}</bdi>}
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}

/** The worst cause in words, and how many problems there are besides. */
function describeWorst(row: DomainRow): string {
  const worst = worstFinding(row);
  const failed = row.findings.filter(({ result, accepted }) => result === 'fail' && accepted === null).length;
  if (worst === null) return failed === 0 ? 'Not verified' : failed === 1 ? '1 record' : `${failed} records`;
  return `${describeCause(worst.code ?? '')}${failed > 1 ? ` +${failed - 1}` : ''}`;
}

/** One stop of the Tab key for all tiles; the arrow keys go to the next one in their direction. */
function useArrowKeys() {
  const [current, setCurrent] = useState<string>();
  const focus = (tile: HTMLElement | undefined) => {
    if (tile === undefined) return;
    setCurrent(tile.dataset['key']);
    tile.focus();
  };
  const handlers = {
    onFocus: ({ target }: { target: EventTarget }) =>
      target instanceof HTMLElement && target.dataset['key'] !== undefined && setCurrent(target.dataset['key']),
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const tiles = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-key]')];
      const from = tiles.find((tile) => tile === event.target);
      if (from === undefined) return;
      const next = findNext(tiles, from, event.key);
      if (next === null) return;
      event.preventDefault();
      focus(next);
    },
  };
  return { current, handlers };
}

/** Null for a key of no meaning here. */
function findNext(tiles: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined | null {
  const at = tiles.indexOf(from);
  if (key === 'ArrowRight' || key === 'j') return tiles[at + 1];
  if (key === 'ArrowLeft' || key === 'k') return tiles[at - 1];
  if (key === 'Home') return tiles[0];
  if (key === 'End') return tiles.at(-1);
  if (key !== 'ArrowDown' && key !== 'ArrowUp') return null;
  const { left, top } = from.getBoundingClientRect();
  const boxes = tiles.map((tile) => ({ tile, box: tile.getBoundingClientRect() }));
  const rows = boxes.filter(({ box }) => (key === 'ArrowDown' ? box.top > top + 1 : box.top < top - 1));
  const tops = rows.map(({ box }) => box.top);
  const nearest = key === 'ArrowDown' ? Math.min(...tops) : Math.max(...tops);
  return rows
    .filter(({ box }) => Math.abs(box.top - nearest) < 1)
    .toSorted((one, other) => Math.abs(one.box.left - left) - Math.abs(other.box.left - left))[0]?.tile;
}
