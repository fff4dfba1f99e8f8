import { IconSearch } from '@tabler/icons-react';
import {
  lazy,
  Suspense,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useState,
  type ComponentType,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useGlobalActions } from '../../ui/page/actions.ts';
import { useOpenPage } from '../../url/Link.tsx';
import classes from './Commands.module.css';
import { Keys } from '../Keys.tsx';
import { PageBoundary } from '../PageBoundary.tsx';
import { closeOverlay, overlay } from '../overlay.ts';
import { isInMore, type Section } from '../sections.ts';
import { useStore } from '../../ui/page/store.ts';
import { areSingleKeysEnabled } from '../../ui/page/singleKeys.ts';
import { TYPING, usePastedText } from '../../ui/page/pastedText.ts';
import { isMac, PALETTE_KEYS, useKeys, isTypedText } from '../shortcuts.ts';

const ShortcutSheet = lazy(async () => ({ default: (await import('../ShortcutSheet.tsx')).ShortcutSheet }));
const HelpDialog = lazy(async () => ({ default: (await import('../help/HelpDialog.tsx')).HelpDialog }));
const NewsDialog = lazy(async () => ({ default: (await import('../help/NewsDialog.tsx')).NewsDialog }));
const MoreSheet = lazy(async () => ({ default: (await import('../MoreSheet.tsx')).MoreSheet }));

/** Lazy. `initial` was typed while it was loading. */
export type PaletteComponent = ComponentType<{ initial: string; onClose: () => void }>;

type Props = { Palette: PaletteComponent; sections: readonly Section[]; hasWorkspaces: boolean };

export function Commands({ Palette, sections, hasWorkspaces }: Props) {
  'use no memo'; // It renders rarely, and the first file has to be small.
  const openPage = useOpenPage();
  const open = useStore(overlay);
  const [typed, setTyped] = useState('');
  const openWith = (text: string) => {
    setTyped(text);
    overlay.write('palette');
  };
  const openPalette = () => openWith('');
  usePastedText(window, openWith);
  useEffect(() => closeOverlay, []);
  useKeys(openPalette);
  useRowKeys();
  useGlobalActions([
    { id: 'palette', label: 'Search or jump to', run: openPalette },
    ...sections.map(({ to, label, purpose }) => ({
      id: to,
      label: purpose === undefined ? `Go to ${label}` : `Go to ${label}: ${purpose}`,
      run: () => openPage(to),
    })),
    { id: 'shortcuts', label: 'Keyboard shortcuts', run: () => overlay.write('shortcuts') },
    { id: 'help', label: 'Help', run: () => overlay.write('help') },
    { id: 'news', label: 'What’s new', run: () => overlay.write('news') },
  ]);
  return (
    <>
      <OpenButton onClick={openPalette} />
      {open !== null && open !== 'palette' && (
        <Opened what={open}>
          {open === 'shortcuts' && <ShortcutSheet onClose={closeOverlay} />}
          {open === 'help' && <HelpDialog />}
          {open === 'news' && <NewsDialog />}
          {open === 'more' && <MoreSheet sections={sections.filter(isInMore)} hasWorkspaces={hasWorkspaces} />}
        </Opened>
      )}
      {open === 'palette' && (
        <Opened
          what={open}
          meanwhile={<PaletteFallback onType={(key) => setTyped((text) => text + key)} onClose={closeOverlay} />}
        >
          <Palette initial={typed} onClose={closeOverlay} />
        </Opened>
      )}
    </>
  );
}

function OpenButton({ onClick }: { onClick: () => void }) {
  return (
    <button
      type="button"
      className={classes.open}
      aria-haspopup="dialog"
      aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
      title="Search or jump to"
      onClick={onClick}
    >
      <IconSearch size={18} stroke={1.75} aria-hidden />
      <span className={classes.label}>
        Search<span className="visually-hidden"> or jump to</span>
      </span>
      <span className={classes.keys} aria-hidden>
        <Keys keys={PALETTE_KEYS} />
      </span>
    </button>
  );
}

type OpenedProps = { what: string; meanwhile?: ReactNode; children: ReactNode };

const Opened = ({ what, meanwhile, children }: OpenedProps) =>
  createPortal(
    <div className={classes.dialog}>
      <PageBoundary key={what}>
        <Suspense fallback={meanwhile}>{children}</Suspense>
      </PageBoundary>
    </div>,
    document.body,
  );

/** Catches keys for the palette's input while it is loading. Enter does nothing: its option isn't shown yet. */
function PaletteFallback({ onType, onClose }: { onType: (key: string) => void; onClose: () => void }) {
  const press = useEffectEvent((key: string) => (key === 'Escape' ? onClose() : key.length === 1 && onType(key)));
  // A layout effect ends before the input is shown; another one would take its first keys.
  useLayoutEffect(() => {
    const keep = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      press(event.key);
    };
    window.addEventListener('keydown', keep, { capture: true });
    return () => window.removeEventListener('keydown', keep, { capture: true });
  }, []);
  return null;
}

/** Not those of a form in a row, which Tab reaches all. */
const STOPS = ':is(a[href], button, summary, input, select, [tabindex]):not(:disabled, form *)';
const BODIES = '#content [data-rows]';
const ROWS = ':is(tr, [data-attribute])';

/** The element of each table or list of attributes that Tab reaches. */
const tabStops = new WeakMap<Element, HTMLElement>();

/** One stop of the Tab key for each table; it starts with the first key. Tables stay tables: screen readers have keys for cells. */
function useRowKeys(): void {
  useLayoutEffect(() => {
    const content = document.getElementById('content');
    const observer = new MutationObserver(updateTabStops);
    const ended = new AbortController();
    const { signal } = ended;
    const start = () => {
      updateTabStops();
      if (content !== null) observer.observe(content, { childList: true, subtree: true });
      window.addEventListener('focusin', updateTabStops, { signal });
    };
    window.addEventListener('keydown', start, { once: true, signal });
    window.addEventListener('keydown', handleKey, { signal });
    return () => {
      ended.abort();
      observer.disconnect();
    };
  }, []);
}

const listStops = (within: Element) => [...within.querySelectorAll<HTMLElement>(STOPS)];
const firstStop = (within: Element | undefined) =>
  within?.querySelector<HTMLElement>('a[href]') ?? within?.querySelector<HTMLElement>(STOPS);
const listBodies = () => [...document.querySelectorAll(BODIES)];

/** Leaves one stop of each table to Tab: the one with the focus, now or last. */
function updateTabStops(): void {
  for (const body of listBodies()) {
    const stops = listStops(body);
    const kept = tabStops.get(body);
    const reached =
      stops.find((stop) => stop === document.activeElement) ?? stops.find((stop) => stop === kept) ?? firstStop(body);
    if (!reached) continue;
    tabStops.set(body, reached);
    for (const stop of stops) {
      const tabIndex = stop === reached ? 0 : -1;
      // Browsers restyle the element even if the value is the same.
      if (stop.tabIndex !== tabIndex) stop.tabIndex = tabIndex;
    }
  }
}

const listRows = (body: Element) => [...body.querySelectorAll(ROWS)].filter((row) => row.querySelector(STOPS) !== null);

function handleKey(event: KeyboardEvent): void {
  const { target, key, altKey, ctrlKey, metaKey, shiftKey, isComposing } = event;
  if (event.defaultPrevented || isComposing || altKey || ctrlKey || metaKey || shiftKey) return;
  if (!(target instanceof Element) || document.querySelector('dialog[open]')) return;
  const body = target.closest(BODIES);
  const isTick = body !== null && target.matches('input[type="checkbox"]');
  if (target.closest(TYPING) !== null && !isTick) return;
  const isLetter = key === 'j' || key === 'k' || key === 'x';
  if (isLetter ? !areSingleKeysEnabled() || isTypedText(event) : body === null) return;
  const done = body === null ? enterRows(key) : moveFrom(target, body, key);
  // Arrow keys would scroll the page.
  if (done) event.preventDefault();
}

/** From elsewhere, j and k go to the row that Tab would reach. */
function enterRows(key: string): boolean {
  if (key === 'x') return false;
  const body = listBodies().find((body) => listRows(body).length > 0);
  if (body === undefined) return false;
  updateTabStops();
  tabStops.get(body)?.focus();
  return true;
}

function moveFrom(target: Element, body: Element, key: string): boolean {
  const rows = listRows(body);
  const row = target.closest(ROWS);
  if (row === null) return false;
  const at = rows.indexOf(row);
  switch (key) {
    case 'j':
    case 'ArrowDown':
      return focusRow(rows[at + 1], target);
    case 'k':
    case 'ArrowUp':
      return focusRow(rows[at - 1], target);
    case 'ArrowRight':
    case 'ArrowLeft': {
      // Columns may be hidden.
      const stops = listStops(row).filter((stop) => stop.checkVisibility());
      stops[stops.indexOf(target as HTMLElement) + (key === 'ArrowRight' ? 1 : -1)]?.focus();
      return true;
    }
    case 'x':
      row.querySelector<HTMLElement>('input[type="checkbox"]')?.click();
      return true;
    default:
      return false;
  }
}

/** Focuses the same column of another row, or its first stop. */
function focusRow(row: Element | undefined, from: Element): boolean {
  const cell = from.closest<HTMLTableCellElement>('td, th');
  const same = cell === null ? undefined : (row as HTMLTableRowElement | undefined)?.cells[cell.cellIndex];
  if (row !== undefined)
    (same?.querySelector<HTMLElement>(from.localName) ?? firstStop(same) ?? firstStop(row))?.focus();
  return true;
}
