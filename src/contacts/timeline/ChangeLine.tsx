import { IconMail, IconMailOff, IconPencil } from '@tabler/icons-react';
import type { ReadableLogLine } from '#contract/auditLog.ts';
import type { FieldChange, ReadableChange } from '#contract/change.ts';
import { ActorName } from '../../identity/ActorName.tsx';
import { ACTIONS, describeRecorded, fieldName } from '../../identity/describeChange.ts';
import { REASONS } from '../../identity/describeSuppression.ts';
import { isRecordedReason } from '../../identity/findLastSubscriptionChange.ts';
import { labelOr } from '../../ui/format/labelOr.ts';
import { localTime } from '../../ui/format/time.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { DateTime } from '../../ui/values/DateTime.tsx';
import { CutId, UntrustedText } from '../../ui/values/UntrustedText.tsx';
import type { AttributeChange } from '../attributes/attributeChanges.ts';
import { ImportLink } from '../unsubscribe/ImportLink.tsx';
import { describeWhy, isImport } from '../unsubscribe/proof.ts';
import { ChangeList } from './ChangeList.tsx';
import classes from './Story.module.css';

const LABELS = { ...ACTIONS, import: 'Changed by an import' };
const ICONS: Readonly<Record<string, typeof IconPencil>> = {
  unsubscribe: IconMailOff,
  unsubscribe_again: IconMailOff,
  subscribe: IconMail,
};

type Props = { change: ReadableChange; receipts: readonly ReadableLogLine[] };

/** A change in the story: what, by whom and why, with values before and after. */
export function ChangeLine({ change, receipts }: Props) {
  const { action, actor, request_id, run, changes } = change;
  const Icon = ICONS[action ?? ''] ?? IconPencil;
  const fields = (changes ?? []).filter((field) => !isSaidBy(action, field));
  const since = change.suppression?.since?.slice(0, 10);
  const why = [describeWhy(change), since === undefined ? '' : `since ${since}`].filter(Boolean).join(', ');
  return (
    <div className={classes.change}>
      <span className={classes.time}>
        <DateTime value={change.created_at} show={localTime} />
      </span>
      <Icon size={16} stroke={1.75} aria-hidden />
      <strong className={classes.name}>
        <UntrustedText
          text={
            isRecordedReason(change)
              ? describeRecorded(change.suppression?.reason)
              : labelOr(LABELS, action ?? 'update')
          }
        />
      </strong>
      <div className={classes.facts}>
        {fields.length > 0 && <ChangeList changes={fields.map(toAttributeChange)} />}
        <p>
          {actor !== null && actor.kind !== 'command' && (
            <span>
              by <ActorName actor={actor} />
            </span>
          )}
          {isImport(change) && run !== null && (
            <span>
              in <ImportLink run={run} />
            </span>
          )}
          {why !== '' && (
            <span>
              Reason: <UntrustedText text={why} />
            </span>
          )}
          {request_id !== null && (
            <span className={classes.request}>
              Request{' '}
              <span className="mono">
                <CutId id={request_id} />
              </span>
              <CopyButton value={request_id} what="request ID" />
            </span>
          )}
        </p>
        {receipts.map(({ uuid, details, created_at }) => (
          <p key={uuid}>
            Delivered to <UntrustedText text={String(details?.['destination'])} />,{' '}
            <DateTime value={created_at} show="moment" />
          </p>
        ))}
      </div>
    </div>
  );
}

/** "Unsubscribed" says `subscribed yes → no`. */
const isSaidBy = (action: string | null, { field, after }: FieldChange) =>
  field === 'subscribed' && after === { unsubscribe: false, subscribe: true }[action ?? ''];

function toAttributeChange({ field, before, after }: FieldChange): AttributeChange {
  const format = (value: unknown) => formatField(field, value) ?? undefined;
  return { key: fieldName(field), before: format(before), after: format(after) };
}

function formatField(field: string, value: unknown): unknown {
  if (field === 'subscribed' && typeof value === 'boolean') return value ? 'yes' : 'no';
  if (field === 'suppression.reason' && typeof value === 'string') return labelOr(REASONS, value);
  if (field === 'suppression.since' && typeof value === 'string') return value.slice(0, 10);
  return value;
}
