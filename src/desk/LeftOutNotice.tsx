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
  const lines = new Set(affected.map(({ line }) => line));
  const open = lines.size - chosen.size;
  return (
    <ChoiceNotice
      total={lines.size}
      open={open}
      title={`${formatCount(open)} ${open === 1 ? 'line' : 'lines'} can be read in more than one way`}
      chosen={`You have chosen who is meant in ${formatCount(lines.size)} ${lines.size === 1 ? 'line' : 'lines'}`}
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
  return (
    <ChoiceNotice
      total={mails.size}
      open={open}
      title={`${formatCount(open)} ${open === 1 ? 'message does' : 'messages do'} not say who is meant`}
      chosen={`You have chosen who is meant in ${formatCount(mails.size)} ${mails.size === 1 ? 'message' : 'messages'}`}
      onShow={onShow}
    >
      Read the message. Nobody it names is unsubscribed until you tick who is meant.
    </ChoiceNotice>
  );
}

type ChoiceNoticeProps = {
  /** How many choices there are, and how many of them are to be made. */
  total: number;
  open: number;
  title: string;
  /** The title when all are made. */
  chosen: string;
  onShow: () => void;
  children: ReactNode;
};

/** Stays when all is chosen: the rows below would move under the pointer that has just ticked one. */
function ChoiceNotice({ total, open, title, chosen, onShow, children }: ChoiceNoticeProps) {
  if (total === 0) return null;
  return (
    <Notice
      tone={open > 0 ? 'warn' : 'neutral'}
      title={open > 0 ? title : chosen}
      actions={
        <Button variant="default" size="xs" onClick={onShow}>
          Choose
        </Button>
      }
    >
      {open > 0 ? children : 'Only those whom you ticked are unsubscribed.'}
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
