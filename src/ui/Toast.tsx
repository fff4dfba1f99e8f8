import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useEffect, useState, useSyncExternalStore, type ReactNode } from 'react';
import classes from './Toast.module.css';

/** How long a toast stays while nobody points at it or has the focus in it, in milliseconds. */
const STAYS = 12_000;

type Shown = { content: ReactNode; isKept: boolean };

let shown: Shown | null = null;
const listeners = new Set<() => void>();

function set(next: Shown | null): void {
  shown = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Shows `content` at the foot of the window for a while, in place of what was there. */
export function showToast(content: ReactNode): void {
  set({ content, isKept: false });
}

/** What is shown stays until it is dismissed: something is under way in it, or failed. */
export function keepToast(): void {
  if (shown !== null) set({ ...shown, isKept: true });
}

/** The place of toasts. Just before the content in the order of focus, so that one step back from there leads to it. */
export function Toast() {
  const toast = useSyncExternalStore(subscribe, () => shown);
  const [isPointedAt, setPointedAt] = useState(false);
  const [hasFocus, setFocus] = useState(false);
  const isHeld = toast === null || toast.isKept || isPointedAt || hasFocus;

  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(() => set(null), STAYS);
    return () => clearTimeout(timer);
  }, [isHeld, toast?.content]);
  // Whoever signs in next shall not find it.
  useEffect(() => () => set(null), []);

  const close = () => {
    // A toast that is gone gets no event that the pointer or the focus left it.
    setPointedAt(false);
    setFocus(false);
    set(null);
    document.getElementById('content')?.focus({ preventScroll: true });
  };
  return (
    <div className={classes.place} role="status">
      {toast !== null && (
        <div
          className={classes.toast}
          onPointerEnter={() => setPointedAt(true)}
          onPointerLeave={() => setPointedAt(false)}
          onFocus={() => setFocus(true)}
          onBlur={(event) => setFocus(event.currentTarget.contains(event.relatedTarget))}
          onKeyDown={(event) => event.key === 'Escape' && close()}
        >
          {toast.content}
          <ActionIcon variant="subtle" color="gray" aria-label="Dismiss" title="Dismiss" onClick={close}>
            <IconX size={16} />
          </ActionIcon>
        </div>
      )}
    </div>
  );
}
