import { useState } from 'react';
import { useLocation } from 'react-router';
import { Dialog } from '../../ui/Dialog.tsx';
import { overlay, closeOverlay } from '../overlay.ts';
import classes from './Help.module.css';
import { findGuide } from './guides.ts';
import { useIsNewsUnseen } from './news.ts';

/** The guide of the page below it. It leaves the page as it is. */
export function HelpDialog() {
  const { pathname } = useLocation();
  const [shown, show] = useState(pathname);
  const isNewsUnseen = useIsNewsUnseen();
  const { guide, others } = findGuide(shown);
  return (
    <Dialog title={`Help: ${guide.title}`} onClose={closeOverlay} closable>
      <div className={classes.text} aria-live="polite">
        {guide.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        {guide.document !== undefined && (
          <p className="note">
            More in <code>{guide.document}</code> of the installed package.
          </p>
        )}
      </div>
      <section className={classes.others} aria-label="Other pages">
        {others.map(({ path, title }) => (
          <button key={path} type="button" onClick={() => show(path)}>
            {title}
          </button>
        ))}
      </section>
      <p className={classes.foot}>
        <button type="button" data-unseen={isNewsUnseen || undefined} onClick={() => overlay.write('news')}>
          What’s new in {NEWEST_VERSION}
        </button>
        <button type="button" onClick={() => overlay.write('shortcuts')}>
          Keyboard shortcuts
        </button>
      </p>
    </Dialog>
  );
}
