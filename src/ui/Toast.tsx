import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { cloneElement, useEffect, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import classes from './Toast.module.css';
import { createStore } from './page/store.ts';
import { shownToast } from './ToastPlace.tsx';

/** Milliseconds without pointer and focus. */
const DURATION = 12_000;

const count = createStore(0);

export function showToast(content: ReactNode): void {
  count.write(count.read() + 1);
  shownToast.write(
    <Frame key={count.read()} isKept={false}>
      {content}
    </Frame>,
  );
}

export function hideToast(): void {
  shownToast.write(null);
}

export function pinToast(): void {
  const toast = shownToast.read();
  if (toast !== null) shownToast.write(cloneElement(toast, { isKept: true }));
}

type FrameProps = { isKept: boolean; children: ReactNode };

function Frame({ isKept, children }: FrameProps) {
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
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape comes from its buttons
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
