import { Button } from '@mantine/core';
import { type ReactNode, useMemo } from 'react';
import { formatCount } from '../ui/formatCount.ts';
import { Notice } from '../ui/Notice.tsx';
import classes from './DeskStages.module.css';
import { type DeskEntry, isSelectable, UNDECIDED } from './entry.ts';
import { isLeftOut } from './entryFilter.ts';
import { isUnclear } from '../list/mail/bystanders.ts';
import { isChoice, isGuess } from '../list/parseList.ts';
import type { EntryList } from './entryList.ts';
import { isOwnAddress } from './ownDomains.ts';
import { useTicks } from './useTicks.tsx';

type Props = { entries: EntryList; onShow: () => void };

/** Whether an entry is left out as one whom a mail only mentions; own addresses are told before. */
const isBystander = (entry: DeskEntry) =>
  !isChoice(entry) && !isGuess(entry) && !isUnclear(entry) && entry.leftOut !== UNDECIDED;

/** The entries that were left out when the list was read, and a way to take them in. */
export function LeftOutNotices({ entries, onShow }: Props) {
  const affected = useMemo(() => entries.filter((entry) => entry.leftOut !== null && isSelectable(entry)), [entries]);
  const others = affected.filter((entry) => !isOwnAddress(entry));
  const unclear = useMemo(() => entries.filter((entry) => isUnclear(entry) && entry.values.length > 0), [entries]);
  return (
    <>
      <LineChoiceNotice affected={others.filter(isChoice)} onShow={onShow} />
      <MailChoiceNotice affected={unclear} onShow={onShow} />
      <LeftOutNotice affected={affected.filter(isOwnAddress)} of="of your own addresses" onShow={onShow} />
      <LeftOutNotice affected={others.filter(isGuess)} of="that may be IDs in sentences" onShow={onShow} />
      <LeftOutNotice
        affected={others.filter(isBystander)}
        of="from signatures, recipients, senders and quoted text"
        onShow={onShow}
      />
    </>
  );
}

type ChoiceProps = { affected: readonly DeskEntry[]; onShow: () => void };

/** The lines of which it is to be said whom they mean. */
function LineChoiceNotice({ affected, onShow }: ChoiceProps) {
  const chosen = new Set(affected.filter((entry) => !isLeftOut(entry)).map(({ line }) => line));
  const open = new Set(affected.map(({ line }) => line).filter((line) => !chosen.has(line))).size;
  if (open === 0) return null;
  return (
    <ChoiceNotice
      title={`${formatCount(open)} ${open === 1 ? 'line' : 'lines'} can be read in more than one way`}
      onShow={onShow}
    >
      They may be different people. Nobody of them is unsubscribed until you tick whom the line means.
    </ChoiceNotice>
  );
}

/** The mails and tickets of which it is to be said whom they mean. `affected`: duplicates too, which are ticked with the first that names them. */
function MailChoiceNotice({ affected, onShow }: ChoiceProps) {
  const ticked = new Set(affected.filter(({ isTicked }) => isTicked).map(({ values: [value] }) => value));
  // Older consoles did not keep the mail: each entry is then for itself.
  const mails = Map.groupBy(affected, ({ mail, index }) => mail ?? `entry ${index}`);
  const open = [...mails.values()].filter((named) => !named.some(({ values: [value] }) => ticked.has(value))).length;
  if (open === 0) return null;
  return (
    <ChoiceNotice
      title={`${formatCount(open)} ${open === 1 ? 'message does' : 'messages do'} not say who is meant`}
      onShow={onShow}
    >
      Read the message. Nobody it names is unsubscribed until you tick who is meant.
    </ChoiceNotice>
  );
}

function ChoiceNotice({ title, onShow, children }: { title: string; onShow: () => void; children: ReactNode }) {
  return (
    <Notice
      tone="warn"
      title={title}
      actions={
        <Button variant="default" size="xs" onClick={onShow}>
          Choose
        </Button>
      }
    >
      {children}
    </Notice>
  );
}

type NoticeProps = { affected: readonly DeskEntry[]; of: string; onShow: () => void };

function LeftOutNotice({ affected, of, onShow }: NoticeProps) {
  const ticks = useTicks(true);
  const out = affected.filter(isLeftOut);
  if (affected.length === 0) return null;
  const title =
    out.length === 0
      ? `${formatCount(affected.length)} ${of} will be unsubscribed`
      : `${formatCount(out.length)} ${of} left out`;
  return (
    <Notice
      tone={out.length === 0 ? 'warn' : 'neutral'}
      title={title}
      actions={
        <span className={classes.actions}>
          {out.length > 0 && (
            <Button variant="default" size="xs" onClick={onShow}>
              Show them
            </Button>
          )}
          <Button variant="default" size="xs" onClick={() => ticks?.tick(affected, out.length > 0)}>
            {out.length === 0 ? 'Leave them out' : 'Unsubscribe them too'}
          </Button>
        </span>
      }
    />
  );
}
