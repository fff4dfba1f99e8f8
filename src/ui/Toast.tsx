import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import classes from './Toast.module.css';

/** How long a toast stays while nobody points at it or has the focus in it, in milliseconds. */
const STAYS = 12_000;

type ActiveToast = { content: ReactNode; isKept: boolean; number: number };

let activeToast: ActiveToast | null = null;
let count = 0;
const listeners = new Set<() => void>();

function set(next: ActiveToast | null): void {
  activeToast = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows `content` at the foot of the window for a while, in place of what was there. */
export function showToast(content: ReactNode): void {
  set({ content, isKept: false, number: ++count });
}

/** What is shown is no longer so. */
export function hideToast(): void {
  set(null);
}

/** What is shown stays until it is dismissed: something is under way in it, or failed. */
export function pinToast(): void {
  if (activeToast !== null) set({ ...activeToast, isKept: true });
}

/** The place of toasts. Just before the content in the order of focus, so that one step back from there leads to it. */
export function Toast() {
  const toast = useSyncExternalStore(subscribe, () => activeToast);
  // Whoever signs in next shall not find it.
  useEffect(() => hideToast, []);
  return (
    <div className={classes.place} role="status">
      {toast !== null && (
        <Frame key={toast.number} isKept={toast.isKept}>
          {toast.content}
        </Frame>
      )}
    </div>
  );
}

function Frame({ isKept, children }: { isKept: boolean; children: ReactNode }) {
  const frame = useRef<HTMLDivElement>(null);
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isHeld = isKept || isPointedAt || hasFocus;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(hideToast, STAYS);
    return () => clearTimeout(timer);
  }, [isHeld]);

  // The focus does not get lost with it.
  useLayoutEffect(() => {
    const element = frame.current;
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById('content')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    // It only listens to what its buttons pass on: pointer, focus and Escape.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      ref={frame}
      className={classes.toast}
      role="group"
      aria-label="Just done"
      onPointerEnter={() => setPointedAt(true)}
      onPointerLeave={() => setPointedAt(false)}
      onFocus={() => setFocus(true)}
      onBlur={(event) => setFocus(event.currentTarget.contains(event.relatedTarget))}
      onKeyDown={(event) => event.key === 'Escape' && hideToast()}
    >
      <div className={classes.content}>{children}</div>
      <ActionIcon variant="subtle" color="gray" aria-label="Dismiss" title="Dismiss" onClick={hideToast}>
        <IconX size={16} />
      </ActionIcon>
    </div>
  );
}
