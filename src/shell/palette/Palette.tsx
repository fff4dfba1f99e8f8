import { IconSearch } from '@tabler/icons-react';
import { useEffect, useId, useState, type KeyboardEvent } from 'react';
import { flushSync } from 'react-dom';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import {
  type PaletteGroup,
  type PaletteOffer,
  type PaletteOption,
  listCurrentActions,
  type Action,
} from '../../ui/page/actions.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Keys } from '../Keys.tsx';
import classes from './Palette.module.css';
import { areSingleKeysEnabled } from '../../ui/page/singleKeys.ts';
import { findKeys } from '../shortcuts.ts';
type Props = { text: string; offers: readonly PaletteOffer[]; onType: (text: string) => void; onClose: () => void };

/** One input for pages, actions and what features offer. A combobox: the focus stays in the input. */
export function Palette({ text, offers, onType, onClose }: Props) {
  const id = useId();
  const groups = usePaletteGroups(text, offers);
  const isSearching = offers.some((offer) => offer.isSearching);
  const error = offers.findLast((offer) => offer.error !== null)?.error ?? null;
  const options = groups.flatMap((group) => group.options);
  const { active, highlight, move } = useHighlight(options);
  const idOf = (option: PaletteOption) => `${id} ${options.indexOf(option)}`.replaceAll(' ', '-');
  const activeId = active && idOf(active);
  useScrollTo(activeId);

  const choose = (option: PaletteOption) => {
    // Closing restores the focus, so the action runs afterwards and can move it.
    flushSync(onClose);
    option.run();
  };
  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && options.length > 0) {
      event.preventDefault();
      move(step);
    } else if (event.key === 'Enter' && active !== undefined) {
      event.preventDefault();
      choose(active);
    }
  };
  const count = options.length === 1 ? 'One result' : `${options.length} results`;
  return (
    <Dialog title="Search or jump to" plain onClose={onClose}>
      <PaletteBox
        text={text}
        listId={`${id}list`}
        activeId={activeId}
        isExpanded={options.length > 0}
        onType={(value) => {
          onType(value);
          highlight(undefined);
        }}
        onKeyDown={press}
      />
      <PaletteList
        id={`${id}list`}
        groups={groups}
        active={active}
        idOf={idOf}
        onChoose={choose}
        onPoint={({ id }) => highlight(id)}
      />
      {error !== null && (
        <div className={classes.failure}>
          <ErrorAlert error={error} note="The results above don’t need the service." />
        </div>
      )}
      <p className={classes.foot} role="status">
        {isSearching ? 'Searching …' : options.length === 0 ? 'No results' : count}
      </p>
    </Dialog>
  );
}

function useScrollTo(id: string | undefined): void {
  useEffect(() => {
    if (id !== undefined) document.getElementById(id)?.scrollIntoView({ block: 'nearest' });
  }, [id]);
}

/** `active` is what Enter chooses: the highlighted option, or else the first. */
function useHighlight(options: readonly PaletteOption[]) {
  const [highlighted, highlight] = useState<string>();
  const index = Math.max(
    0,
    options.findIndex(({ id }) => id === highlighted),
  );
  return {
    active: options[index],
    highlight,
    move: (step: number) => highlight(options[(index + step + options.length) % options.length]?.id),
  };
}

type PaletteBoxProps = {
  text: string;
  listId: string;
  activeId: string | undefined;
  isExpanded: boolean;
  onType: (text: string) => void;
  onKeyDown: (event: KeyboardEvent) => void;
};

function PaletteBox({ text, listId, activeId, isExpanded, onType, onKeyDown }: PaletteBoxProps) {
  return (
    <div className={classes.box}>
      <IconSearch size={18} aria-hidden />
      <input
        role="combobox"
        aria-label="Search or jump to"
        aria-expanded={isExpanded}
        aria-controls={listId}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        placeholder="A page, an action, a person, a domain"
        value={text}
        onChange={(event) => onType(event.currentTarget.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
      />
    </div>
  );
}

type PaletteListProps = {
  id: string;
  groups: readonly PaletteGroup[];
  active: PaletteOption | undefined;
  idOf: (option: PaletteOption) => string;
  onChoose: (option: PaletteOption) => void;
  onPoint: (option: PaletteOption) => void;
};

function PaletteList({ id, groups, active, idOf, onChoose, onPoint }: PaletteListProps) {
  return (
    <div id={id} role="listbox" aria-label="Results" className={classes.list}>
      {groups.map(({ title, options }) => (
        <div key={title} role="group" aria-label={title}>
          <div className={classes.title} aria-hidden>
            {title}
          </div>
          {options.map((option) => (
            // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus -- the input has the focus and handles the keys
            <div
              key={option.id}
              id={idOf(option)}
              role="option"
              aria-selected={option === active}
              className={classes.option}
              onClick={() => onChoose(option)}
              onPointerMove={() => onPoint(option)}
            >
              <span className={classes.label}>
                <UntrustedText text={option.label} />
                {option.detail !== undefined && <UntrustedText className={classes.detail} text={option.detail} />}
              </span>
              {option.exact !== undefined && <span className={classes.exact}>Exact {option.exact}</span>}
              {option.keys !== undefined && <Keys keys={option.keys} />}
            </div>
          ))}
        </div>
      ))}
    </div>
  );
}

function usePaletteGroups(text: string, offers: readonly PaletteOffer[]): PaletteGroup[] {
  // As they were when the palette was opened.
  const [{ page, everywhere }] = useState(listCurrentActions);
  const [keys] = useState(() => findActiveKeys([...page, ...everywhere]));
  const offered = offers.flatMap(({ groups }) => groups);
  const at = (place: PaletteGroup['place']) => offered.filter((group) => group.place === place);
  const groups = [
    ...at('first'),
    createActionGroup('On this page', page, text, keys),
    createActionGroup('Everywhere', everywhere, text, keys),
    ...putBestFirst(at(undefined), text),
    ...at('last'),
  ];
  return putExactFirst(groups).filter(({ options }) => options.length > 0);
}

const isExact = ({ exact }: PaletteOption) => exact !== undefined;

function putExactFirst(groups: readonly PaletteGroup[]): PaletteGroup[] {
  const exact = groups.flatMap(({ options }) => options.filter(isExact));
  const others = groups.map((group) => ({ ...group, options: group.options.filter((option) => !isExact(option)) }));
  return [{ title: 'Exact match', options: exact }, ...others];
}

/** Groups with something that begins as `text` does come before the others. */
function putBestFirst(groups: PaletteGroup[], text: string): PaletteGroup[] {
  const begins = (part = '') => part.toLowerCase().startsWith(text.trim().toLowerCase());
  const isBest = ({ options }: PaletteGroup) => options.some(({ label, detail }) => begins(label) || begins(detail));
  return [...groups.filter(isBest), ...groups.filter((group) => !isBest(group))];
}

function createActionGroup(
  title: string,
  actions: readonly Action[],
  text: string,
  keys: ReadonlyMap<string, string | undefined>,
): PaletteGroup {
  const words = text.trim().toLowerCase().split(/\s+/);
  const options = actions
    .filter(({ id, label }) => id !== 'palette' && words.every((word) => label.toLowerCase().includes(word)))
    .map(({ id, label, run }) => {
      const key = keys.get(id);
      const exact = findExact(label, words.join(' '));
      return { id: `${title} ${id}`, label, run, exact, ...(key !== undefined && { keys: key }) };
    });
  return { title, options };
}

/** What an action is called: a page by its name, without `Go to` and its purpose. */
function findExact(label: string, typed: string): string | undefined {
  const [name = ''] = label.toLowerCase().split(':');
  if (name.startsWith('go to ')) return [name, name.slice('go to '.length)].includes(typed) ? 'page' : undefined;
  return name === typed ? 'action' : undefined;
}

/** The first key of each action by its id; empty if single keys are off. */
function findActiveKeys(actions: readonly Action[]): Map<string, string | undefined> {
  return new Map(areSingleKeysEnabled() ? actions.map((action) => [action.id, findKeys(action)[0]]) : []);
}
