import { useEffect } from 'react';
import changelog from '../../../CHANGELOG.md?raw';
import { Dialog } from '../../ui/Dialog.tsx';
import { closeOverlay } from '../overlay.ts';
import { type Item, parseChangelog, parseWords } from './changelog.ts';
import classes from './Help.module.css';
import { setNewsSeen } from './news.ts';

const releases = parseChangelog(changelog);

export function NewsDialog() {
  useEffect(setNewsSeen, []);
  const [newest, ...older] = releases;
  return (
    <Dialog title={`What’s new in ${newest?.version ?? ''}`} onClose={closeOverlay} closable>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls */}
      <section className={classes.news} aria-label="Changes" tabIndex={0}>
        {releases.map(({ version, paragraphs, items }) => (
          <div key={version}>
            {older.length > 0 && <h3>{version}</h3>}
            {paragraphs.map((text) => (
              <p key={text}>
                <Text text={text} />
              </p>
            ))}
            <Items items={items} />
          </div>
        ))}
      </section>
    </Dialog>
  );
}

function Items({ items }: { items: readonly Item[] }) {
  return (
    <ul>
      {items.map((item) => (
        <li key={item.text}>
          <Text text={item.text} />
          {item.items.length > 0 && <Items items={item.items} />}
        </li>
      ))}
    </ul>
  );
}

const Text = ({ text }: { text: string }) =>
  parseWords(text).map(({ text: words, as }, at) => {
    const key = `${at} ${words}`;
    if (as === 'plain') return words;
    return as === 'strong' ? <b key={key}>{words}</b> : <code key={key}>{words}</code>;
  });
