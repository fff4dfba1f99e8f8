import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { ErrorAlert } from '../api/ErrorAlert.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Keys } from './Keys.tsx';
import classes from './Palette.module.css';
import { usePaletteOptions, type PaletteOption } from './usePaletteOptions.ts';

/** One box to go anywhere, find anybody and do what the page offers. A combobox: the focus stays in the box. */
export function Palette({ initial, onClose }: { initial: string; onClose: () => void }) {
  const id = useId();
  const [text, setText] = useState(initial);
  const [chosen, setChosen] = useState<string>();
  const { groups, searching, failure } = usePaletteOptions(text);
  const options = groups.flatMap((group) => group.options);
  // What was chosen may be gone from the list; then the first is.
  const index = Math.max(
    0,
    options.findIndex((option) => option.id === chosen),
  );
  const active = options[index];
  const idOf = (option: PaletteOption) => `${id} ${options.indexOf(option)}`.replaceAll(' ', '-');
  const activeId = active && idOf(active);

  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  const choose = (option: PaletteOption) => {
    // Closing gives the focus back to where it was; only after that the action can take it elsewhere.
    flushSync(onClose);
    option.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      setChosen(options[(index + step + options.length) % options.length]?.id);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(active);
    }
  };
  const count = options.length === 1 ? 'One result' : `${options.length} results`;
  return (
    <Dialog title="Search or jump to" plain onClose={onClose}>
      <div className={classes.box}>
        <IconSearch size={18} aria-hidden />
        <input
          role="combobox"
          aria-label="Search or jump to"
          aria-expanded={options.length > 0}
          aria-controls={`${id}list`}
          aria-activedescendant={activeId}
          aria-autocomplete="list"
          placeholder="A page, an action, a person, a domain"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setChosen(undefined);
          }}
          onKeyDown={press}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
        />
      </div>
      <div id={`${id}list`} role="listbox" aria-label="Results" className={classes.list}>
        {groups.map(({ title, options: members }) => (
          <div key={title} role="group" aria-label={title} className={classes.group}>
            <div className={classes.title} aria-hidden>
              {title}
            </div>
            {members.map((option) => (
              // The box has the focus and the keys; the pointer chooses here.
              // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
              <div
                key={option.id}
                id={idOf(option)}
                role="option"
                aria-selected={option === active}
                className={classes.option}
                onClick={() => choose(option)}
                onPointerMove={() => setChosen(option.id)}
              >
                <span className={classes.label}>
                  <UntrustedText text={option.label} />
                  {option.detail !== undefined && <UntrustedText className={classes.detail} text={option.detail} />}
                </span>
                {option.keys !== undefined && <Keys keys={option.keys} />}
              </div>
            ))}
          </div>
        ))}
      </div>
      {failure !== null && (
        <div className={classes.failure}>
          <ErrorAlert error={failure} note="What is above was found without the service." />
        </div>
      )}
      <p className={classes.foot} role="status">
        {searching ? 'Searching …' : options.length === 0 ? 'Nothing here goes by that name.' : count}
      </p>
    </Dialog>
  );
}
