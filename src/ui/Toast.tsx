import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useLayoutEffect, useRef, useState, useSyncExternalStore, type ReactNode } from 'react';
import { createListeners } from './listeners.ts';
import classes from './Toast.module.css';

/** Milliseconds until a toast closes, while it has neither pointer nor focus. */
const DURATION = 12_000;

type ActiveToast = { content: ReactNode; isKept: boolean; number: number };

let activeToast: ActiveToast | null = null;
let count = 0;
const { notify, subscribe } = createListeners();

function set(next: ActiveToast | null): void {
  activeToast = next;
  notify();
}

/** Shows `content` at the bottom of the window for a while, and replaces the toast before. */
export function showToast(content: ReactNode): void {
  set({ content, isKept: false, number: ++count });
}

export function hideToast(): void {
  set(null);
}

/** Keeps the toast until it is dismissed: its request is in flight, or has failed. */
export function pinToast(): void {
  if (activeToast !== null) set({ ...activeToast, isKept: true });
}

/** Where toasts show. To be placed just before the content, so that Shift+Tab leads from there into a toast. */
export function Toast() {
  const toast = useSyncExternalStore(subscribe, () => activeToast);
  // On a sign-out: the next user must not see it.
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
    const timer = setTimeout(hideToast, DURATION);
    return () => clearTimeout(timer);
  }, [isHeld]);

  // The focus inside would be lost with the toast.
  useLayoutEffect(() => {
    const element = frame.current;
    return () => {
      if (element?.contains(document.activeElement)) document.getElementById('content')?.focus({ preventScroll: true });
    };
  }, []);

  return (
    // Not interactive itself: pointer and focus are only observed, and Escape comes from its buttons.
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
