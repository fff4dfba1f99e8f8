import { useState } from 'react';
import { listCurrentActions, type Action } from '../ui/page/actions.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { Keys } from './Keys.tsx';
import { areSingleKeysEnabled, setSingleKeys } from '../ui/page/singleKeys.ts';
import { findKeys } from './shortcuts.ts';
import classes from './ShortcutSheet.module.css';

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const [isEnabled, setEnabled] = useState(areSingleKeysEnabled);
  const [actions] = useState(listCurrentActions);
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose} closable>
      <Group title="On this page" actions={actions.page} />
      <Group title="Everywhere" actions={actions.everywhere} />
      <Lines title="Outside of a field" lines={[{ label: 'Search for what you copied', keys: ['Mod v'] }]} />
      <Lines title="In a table" lines={ROW_KEYS} />
      <label className={classes.switch}>
        <input
          type="checkbox"
          checked={isEnabled}
          onChange={({ currentTarget: { checked } }) => {
            setSingleKeys(checked);
            setEnabled(checked);
          }}
        />
        <span>
          Use keys without Ctrl or ⌘<small>They never act while you type. You can turn them off in this browser.</small>
        </span>
      </label>
    </Dialog>
  );
}

function Group({ title, actions }: { title: string; actions: readonly Action[] }) {
  const lines = actions.map((action) => ({ ...action, keys: findKeys(action) })).filter(({ keys }) => keys.length > 0);
  return lines.length === 0 ? null : <Lines title={title} lines={lines} />;
}

type Line = { label: string; keys: readonly string[] };

/** Handled by Commands.tsx. */
const ROW_KEYS: readonly Line[] = [
  { label: 'Next row', keys: ['j', '↓'] },
  { label: 'Previous row', keys: ['k', '↑'] },
  { label: 'Next and previous in the row', keys: ['→', '←'] },
  { label: 'Open', keys: ['Enter'] },
  { label: 'Open a contact next to the table', keys: ['Space'] },
  { label: 'Select a row', keys: ['x'] },
];

function Lines({ title, lines }: { title: string; lines: readonly Line[] }) {
  return (
    <section className={classes.group}>
      <h3>{title}</h3>
      <dl>
        {lines.map(({ label, keys }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              {keys.map((key, index) => (
                <span key={key}>
                  {index > 0 && ' or '}
                  <Keys keys={key} />
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
