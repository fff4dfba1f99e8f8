import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { createPortal } from 'react-dom';
import { useNavigate } from 'react-router';
import { useGlobalActions } from '../ui/actions.ts';
import classes from './Commands.module.css';
import { Keys } from './Keys.tsx';
import { PageBoundary } from './PageBoundary.tsx';
import { sections } from './sections.ts';
import { PALETTE_KEYS } from './shortcuts.ts';
import { useKeys } from './useKeys.ts';

const Palette = lazy(async () => ({ default: (await import('./Palette.tsx')).Palette }));
const ShortcutSheet = lazy(async () => ({ default: (await import('./ShortcutSheet.tsx')).ShortcutSheet }));

/** The way into the palette and the sheet of shortcuts; listens to the keys of the console. */
export function Commands() {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const openPalette = () => setOpen('palette');
  const close = () => setOpen(null);
  useKeys(openPalette);
  useGlobalActions([
    { id: 'palette', label: 'Search or jump to', run: openPalette },
    ...sections.map(({ to, label }) => ({ id: to, label: `Go to ${label}`, run: () => void navigate(to) })),
    { id: 'shortcuts', label: 'Keyboard shortcuts', run: () => setOpen('shortcuts') },
  ]);
  return (
    <>
      <button
        type="button"
        className={classes.open}
        aria-label="Search or jump to"
        aria-haspopup="dialog"
        title="Search or jump to"
        onClick={openPalette}
      >
        <IconSearch size={18} stroke={1.75} aria-hidden />
        <span>Search</span>
        <Keys keys={PALETTE_KEYS} />
      </button>
      {open !== null &&
        createPortal(
          <div className={classes.dialog}>
            <PageBoundary key={open}>
              <Suspense>
                {open === 'palette' ? <Palette onClose={close} /> : <ShortcutSheet onClose={close} />}
              </Suspense>
            </PageBoundary>
          </div>,
          document.body,
        )}
    </>
  );
}
