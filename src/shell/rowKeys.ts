import { useLayoutEffect } from 'react';
import { areSingleKeysEnabled, isTypedText, TYPING } from './shortcuts.ts';

const STOPS = ':is(a[href], button, summary, input, select, [tabindex]):not(:disabled)';
const BODIES = '#content [data-rows]';
const ROWS = 'tr';

/** The element of each table that Tab reaches. */
const tabStops = new WeakMap<Element, HTMLElement>();

/**
 * Makes the rows of a table one stop of the Tab key, from which j, k and the arrows move on; x selects a row. Starts with the first
 * key. Tables stay tables, not grids: screen readers have their own keys for cells.
 */
export function useRowKeys(): void {
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
      const stops = listStops(row);
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
  const cell = from.closest<HTMLTableCellElement>('td');
  const same = cell === null ? undefined : (row as HTMLTableRowElement | undefined)?.cells[cell.cellIndex];
  if (row !== undefined)
    (same?.querySelector<HTMLElement>(from.localName) ?? firstStop(same) ?? firstStop(row))?.focus();
  return true;
}
