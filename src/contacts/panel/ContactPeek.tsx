import { lazy, Suspense, useEffect, useEffectEvent } from 'react';
import { UUID } from '#contract/values/field.ts';
import { textParam, useUrlState } from '../../url/urlState.ts';

const ContactPanel = lazy(async () => ({ default: (await import('./ContactPanel.tsx')).ContactPanel }));

const PARAMS = { panel: textParam };

/** The contact of a row next to the list: Space on its name, or a click next to it, opens the panel; Escape closes it. */
export function ContactPeek() {
  const [{ panel }, change] = useUrlState(PARAMS);
  const uuid = UUID.test(panel) ? panel : null;
  const open = (to: string) => to !== uuid && change({ panel: to }, { replace: true });
  const close = () => {
    const row = linksIn(content()).find((link) => uuidOf(link) === uuid);
    // From the panel the focus returns to the row.
    if (document.activeElement?.closest('aside')) row?.focus();
    change({ panel: '' }, { replace: true });
  };
  useListEvents(open, uuid === null ? null : close);
  if (uuid === null) return null;
  return (
    <Suspense>
      <ContactPanel key={uuid} contact={uuid} onClose={close} />
    </Suspense>
  );
}

const content = () => document.querySelector<HTMLElement>('#content');
const linksIn = (element: Element | null) => [...(element?.querySelectorAll<HTMLAnchorElement>('a[href]') ?? [])];

/** The contact that a link leads to. */
function uuidOf({ href }: HTMLAnchorElement): string | null {
  const last = /\/contacts\/([^/?#]+)$/.exec(href)?.[1] ?? '';
  return UUID.test(last) ? last : null;
}

/** As in SidePanel.module.css. In a narrower window Space scrolls, as ever. */
const hasRoom = () => window.matchMedia('(min-width: 1100.1px)').matches;

function useListEvents(open: (uuid: string) => void, close: (() => void) | null): void {
  const receive = useEffectEvent((event: Event) => {
    const { target } = event;
    if (!(target instanceof Element) || event.defaultPrevented || !hasRoom()) return;
    const link = target.closest('a');
    const uuid = link && uuidOf(link);
    if (event instanceof KeyboardEvent) {
      if (
        event.key === 'Escape' &&
        close !== null &&
        target.closest('input:not([type=checkbox]), textarea, dialog') === null
      )
        close();
      if (event.key !== ' ' || uuid === null || hasModifier(event)) return;
      event.preventDefault();
      open(uuid);
    } else if (event instanceof MouseEvent) {
      if (uuid === null || event.detail !== 1 || hasModifier(event) || link === null || !isOutsideText(link, event))
        return;
      event.preventDefault();
      event.stopPropagation();
      open(uuid);
    } else if (close !== null && target.matches(':focus-visible')) {
      // In a list for bulk unsubscribe the box of the row has the focus.
      const inRow = uuid ?? linksIn(target.closest('[role=row]')).map(uuidOf)[0] ?? null;
      if (inRow !== null) open(inRow);
    }
  });
  useEffect(() => {
    const ended = new AbortController();
    // Clicks before the link follows them.
    for (const type of ['keydown', 'click', 'focusin'])
      content()?.addEventListener(type, (event) => receive(event), { signal: ended.signal, capture: type === 'click' });
    return () => ended.abort();
  }, []);
}

const hasModifier = ({ metaKey, ctrlKey, shiftKey, altKey }: KeyboardEvent | MouseEvent) =>
  metaKey || ctrlKey || shiftKey || altKey;

/** Whether a click on the link of a row, which is as wide as the row, was next to its text. */
function isOutsideText(link: Element, { clientX, clientY }: MouseEvent): boolean {
  if (link.closest('tbody, [role=rowgroup]') === null) return false;
  const { left, right, top, bottom } = (link.firstElementChild ?? link).getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
