import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { ApiError } from '../../api/ApiError.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useWhoChanged } from './useWhoChanged.ts';
import { clockTime, useTimeZone } from '../../ui/format/time.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { ChangeList } from '../timeline/ChangeList.tsx';
import type { AttributeChange, DraftLine } from './attributeChanges.ts';
import classes from './EditAttributes.module.css';
import type { AttributeEditor } from './useAttributeEditor.ts';

const Problem = ({ children }: { children: ReactNode }) => (
  <div data-problem tabIndex={-1} className={classes.problem}>
    {children}
  </div>
);

/** What prevents saving, but for what is wrong in a field. */
export function EditProblems({ editor }: { editor: AttributeEditor }) {
  const { attributes, saving, dotless, saveDeniedReason } = editor;
  return (
    <>
      {dotless !== null && <DotlessProblem address={dotless} />}
      <SaveProblem saving={saving} lines={attributes.lines} />
      {saveDeniedReason !== null && <p className="soft">Saving {saveDeniedReason}</p>}
    </>
  );
}

const DotlessProblem = ({ address }: { address: string }) => (
  <Problem>
    <Notice tone="warn" title="Is this address complete?">
      The domain of <UntrustedText text={address} /> has no dot. Save again to keep it.
    </Notice>
  </Problem>
);

type Saving = AttributeEditor['saving'];

function SaveProblem({ saving, lines }: { saving: Saving; lines: readonly DraftLine[] }) {
  const { checkError, error } = saving;
  const isShownAtField = isTaken(error) && lines.some((line) => describeFieldError(line, saving) !== undefined);
  if ((checkError === null && error === null) || isShownAtField) return null;
  return (
    <Problem>
      {checkError !== null && <ErrorAlert error={checkError} note="Nothing was sent." />}
      {error !== null && <ErrorAlert error={error} {...describeUncertainty(error)} />}
    </Problem>
  );
}

const isTaken = (error: unknown) => error instanceof ApiError && error.status === 409;

export function describeFieldError({ key, text }: DraftLine, { error, fieldErrors }: Saving): ReactNode {
  const message = fieldErrors.get(`attributes.${key}`);
  if (message === undefined || !isTaken(error)) return message;
  return (
    <>
      <UntrustedText text={message} /> <Link to={paths.contact(text.trim())}>Open that contact</Link>
    </>
  );
}

type DraftNoticesProps = {
  contact: string;
  keptSince: number | null;
  attributes: Pick<AttributeEditor['attributes'], 'conflicts' | 'changes' | 'isChanged'>;
};

/** What a save does to what somebody else changed. Others of their attributes stay. */
function describeSaving(theirs: readonly AttributeChange[], own: readonly AttributeChange[]): ReactNode {
  const both = theirs.filter(({ key }) => own.some((change) => change.key === key));
  if (both.length === 0) return 'Your changes are kept below. Save again to add them: theirs stay.';
  if (both.length === theirs.length) return 'Your changes are kept below. Save again to overwrite theirs.';
  return (
    <>
      Your changes are kept below. Save again to overwrite theirs of{' '}
      <UntrustedText text={both.map(({ key }) => key).join(', ')} />: their other changes stay.
    </>
  );
}

export function DraftNotices({ contact, keptSince, attributes }: DraftNoticesProps) {
  const { conflicts, changes, isChanged } = attributes;
  const zone = useTimeZone();
  const who = useWhoChanged(contact, conflicts);
  return (
    <>
      {keptSince !== null && (
        <Notice tone="neutral" title={`Unsaved changes from ${clockTime(keptSince, zone)}`}>
          They were kept when you left this page.
        </Notice>
      )}
      {conflicts.length > 0 && (
        <Problem>
          <Notice tone="warn" title={`${who ?? 'Someone else'} changed this contact while you were editing`}>
            <ChangeList changes={conflicts} />
            {isChanged ? describeSaving(conflicts, changes) : 'Your changes are saved. Nothing was overwritten.'}
          </Notice>
        </Problem>
      )}
    </>
  );
}

type RemovedAttributesProps = { saving: Saving; onClose: () => void };

/** For a service that replaces all attributes instead of merging. */
export function RemovedAttributesNotice({ saving, onClose }: RemovedAttributesProps) {
  return (
    <Notice
      tone="warn"
      title="This service replaced the attributes"
      actions={
        <>
          <Button size="xs" loading={saving.isPending} onClick={saving.restoreRemoved}>
            Restore them
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            Leave as is
          </Button>
        </>
      }
    >
      Your change was saved, but <UntrustedText text={Object.keys(saving.removed).join(', ')} /> disappeared from the
      contact.
      {saving.error !== null && <ErrorAlert error={saving.error} />}
    </Notice>
  );
}

export function ChangePreview({ changes }: { changes: readonly AttributeChange[] }) {
  return (
    <div className={classes.preview} aria-live="polite">
      {changes.length === 0 ? (
        <p>No changes yet.</p>
      ) : (
        <>
          <h3>{changes.length === 1 ? 'One change' : `${changes.length} changes`}</h3>
          <ChangeList changes={changes} />
        </>
      )}
    </div>
  );
}

function describeUncertainty(error: unknown): { note?: string } {
  const isUncertain = error instanceof ApiError && (error.kind !== 'status' || (error.status ?? 0) >= 500);
  return isUncertain ? { note: 'This may or may not have been saved. Save again, or refresh the record.' } : {};
}
