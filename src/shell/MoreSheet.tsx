import { IconHelp, IconKeyboard, IconLogout, IconSearch, IconSparkles, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router';
import { localZone, setUtc, useTimeZone } from '../ui/format/time.ts';
import { Choice } from '../ui/Choice.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { runAction } from '../ui/page/actions.ts';
import { setTheme, useTheme } from '../ui/page/colorScheme.ts';
import { Link } from '../url/Link.tsx';
import { useIsNewsUnseen } from './help/news.ts';
import classes from './MoreSheet.module.css';
import { closeOverlay, overlay, type Overlay } from './overlay.ts';
import type { Section } from './sections.ts';
import { THEMES } from './Theme.tsx';

/** What the navigation of a phone has no room for. */
export function MoreSheet({ sections, hasWorkspaces }: { sections: readonly Section[]; hasWorkspaces: boolean }) {
  const theme = useTheme();
  const zone = useTimeZone();
  const isNewsUnseen = useIsNewsUnseen();
  const { key } = useLocation();
  const [opened] = useState(key);
  useEffect(() => {
    if (key !== opened) closeOverlay();
  }, [key, opened]);
  return (
    <Dialog title="More" onClose={closeOverlay} closable>
      <nav aria-label="More sections" className={classes.list}>
        {sections.map(({ to, label, Icon }) => (
          <Link key={to} to={to}>
            <Icon size={20} stroke={1.75} aria-hidden />
            {label}
          </Link>
        ))}
      </nav>
      <div className={classes.settings}>
        <Choice label="Theme" value={theme} choices={THEMES} onChange={setTheme} />
        {localZone !== 'UTC' && (
          <Choice
            label="Times"
            value={zone === localZone ? 'local' : 'utc'}
            choices={[
              { value: 'local', label: `Times in ${localZone}` },
              { value: 'utc', label: 'UTC' },
            ]}
            onChange={(value) => setUtc(value === 'utc')}
          />
        )}
      </div>
      <div className={classes.list}>
        <Item Icon={IconSearch} label="Search or jump to" onClick={() => runAction('palette')} />
        {hasWorkspaces && (
          <Item Icon={IconUserCircle} label="Switch workspace" onClick={() => closeAndRun('switch-workspace')} />
        )}
        <Item Icon={IconHelp} label="Help" onClick={open('help')} />
        <Item Icon={IconSparkles} label="What’s new" onClick={open('news')} isMarked={isNewsUnseen} />
        <Item Icon={IconKeyboard} label="Keyboard shortcuts" onClick={open('shortcuts')} />
        <Item Icon={IconLogout} label="Sign out" onClick={() => closeAndRun('sign-out')} />
      </div>
    </Dialog>
  );
}

const open = (next: Overlay) => () => overlay.write(next);

/** Not before the dialog has closed, which gives the focus back. */
function closeAndRun(action: string): void {
  closeOverlay();
  setTimeout(() => runAction(action));
}

type ItemProps = { Icon: typeof IconHelp; label: ReactNode; onClick: () => void; isMarked?: boolean };

const Item = ({ Icon, label, onClick, isMarked = false }: ItemProps) => (
  <button type="button" data-unseen={isMarked || undefined} onClick={onClick}>
    <Icon size={20} stroke={1.75} aria-hidden />
    {label}
  </button>
);
