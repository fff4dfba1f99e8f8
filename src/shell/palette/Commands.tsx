import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useEffectEvent, useLayoutEffect, useState, type ComponentType } from 'react';
import { createPortal } from 'react-dom';
import { useGlobalActions } from '../../ui/page/actions.ts';
import { useOpenPage } from '../../url/Link.tsx';
import classes from './Commands.module.css';
import { Keys } from '../Keys.tsx';
import { PageBoundary } from '../PageBoundary.tsx';
import { useRowKeys } from '../rowKeys.ts';
import type { Section } from '../sections.ts';
import { isMac, PALETTE_KEYS, useKeys } from '../shortcuts.ts';
const ShortcutSheet = lazy(async () => ({ default: (await import('../ShortcutSheet.tsx')).ShortcutSheet }));

/** Lazy. `initial` was typed while it was loading. */
export type PaletteComponent = ComponentType<{ initial: string; onClose: () => void }>;

export function Commands({ Palette, sections }: { Palette: PaletteComponent; sections: readonly Section[] }) {
  const openPage = useOpenPage();
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const [typed, setTyped] = useState('');
  const openPalette = () => {
    setTyped('');
    setOpen('palette');
  };
  const close = () => setOpen(null);
  useKeys(openPalette);
  useRowKeys();
  useGlobalActions([
    { id: 'palette', label: 'Search or jump to', run: openPalette },
    ...sections.map(({ to, label, purpose }) => ({
      id: to,
      label: purpose === undefined ? `Go to ${label}` : `Go to ${label}: ${purpose}`,
      run: () => openPage(to),
    })),
    { id: 'shortcuts', label: 'Keyboard shortcuts', run: () => setOpen('shortcuts') },
  ]);
  return (
    <>
      <button
        type="button"
        className={classes.open}
        aria-haspopup="dialog"
        aria-keyshortcuts={isMac ? 'Meta+K' : 'Control+K'}
        title="Search or jump to"
        onClick={openPalette}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <span className={classes.label}>
          Search<span className="visually-hidden"> or jump to</span>
        </span>
        <span className={classes.keys} aria-hidden>
          <Keys keys={PALETTE_KEYS} />
        </span>
      </button>
      {open !== null &&
        createPortal(
          <div className={classes.dialog}>
            <PageBoundary key={open}>
              {open === 'palette' ? (
                <Suspense
                  fallback={<PaletteFallback onType={(key) => setTyped((text) => text + key)} onClose={close} />}
                >
                  <Palette initial={typed} onClose={close} />
                </Suspense>
              ) : (
                <Suspense>
                  <ShortcutSheet onClose={close} />
                </Suspense>
              )}
            </PageBoundary>
          </div>,
          document.body,
        )}
    </>
  );
}

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
