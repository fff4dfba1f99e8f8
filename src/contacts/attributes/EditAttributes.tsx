import { Button } from '@mantine/core';
import { useEffect, useRef, useState, type ReactNode, type RefObject } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { updateContact } from '#contract/interface.ts';
import { ApiError } from '../../api/ApiError.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { Form, FormButtons } from '../../ui/Form.tsx';
import { clockTime, useTimeZone } from '../../ui/format/time.ts';
import { Notice } from '../../ui/Notice.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { paths } from '../../url/paths.ts';
import { ChangeList } from '../timeline/ChangeList.tsx';
import type { AttributeChange, DraftLine } from './attributeChanges.ts';
import { AttributeFields } from './AttributeFields.tsx';
import classes from './EditAttributes.module.css';
import { useAttributeDraft, useSaveAttributes } from './useAttributeForm.ts';

type Props = { contact: string; record: ReadableContact | undefined; onClose: () => void };

/** The form for attributes: previews the changes, sends only those, and detects concurrent edits by `updated_at`. */
export function EditAttributes({ contact, record, onClose }: Props) {
  const attributes = useAttributeDraft(contact, record);
  const saving = useSaveAttributes(contact, attributes, onClose);
  // Someone may lose the role while they edit.
  const saveDeniedReason = useMissingRole(updateContact);
  const { changes, body, canSave, keptSince, isChanged } = attributes;
  const { lines, conflicts } = attributes.draft;
  const form = useRef<HTMLFormElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const isOpenedByPage = keptSince !== null;
  useEffect(() => {
    if (!isOpenedByPage) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [isOpenedByPage]);
  const dotless = typeof body['email'] === 'string' && DOTLESS.test(body['email']) ? body['email'] : null;
  const [asked, setAsked] = useState<string | null>(null);
  const problem = saving.error ?? saving.checkError ?? (dotless === null ? null : asked);
  useFocusOnProblem(form, conflicts.length > 0 ? conflicts : problem);
  const isTaken = saving.error instanceof ApiError && saving.error.status === 409;
  const fieldError = ({ key, text }: DraftLine) => {
    const message = saving.fieldErrors.get(`attributes.${key}`);
    if (message === undefined || !isTaken) return message;
    return (
      <>
        <UntrustedText text={message} /> <Link to={paths.contact(text.trim())}>Open that contact</Link>
      </>
    );
  };
  const isShownAtField = isTaken && lines.some(({ key }) => saving.fieldErrors.has(`attributes.${key}`));
  const submit = () => {
    if (dotless === null || dotless === asked) void saving.save();
    else setAsked(dotless);
  };
  const edit = (line: DraftLine, part: Partial<DraftLine>) => {
    saving.clearError();
    attributes.edit(line.id, part);
  };

  if (Object.keys(saving.removed).length > 0) return <RemovedAttributesNotice saving={saving} onClose={onClose} />;
  return (
    <Form ref={form} className={classes.form} onSubmit={submit}>
      <DraftNotices keptSince={keptSince} conflicts={conflicts} isSaved={!isChanged} />
      {lines.map((line) => (
        <AttributeFields
          key={line.id}
          line={line}
          nameError={attributes.nameErrors.get(line.id)}
          error={attributes.errors.get(line.id) ?? fieldError(line)}
          onEdit={(part) => edit(line, part)}
          onDrop={() => {
            attributes.dropLine(line.id);
            add.current?.focus();
          }}
        />
      ))}
      <Button ref={add} size="xs" variant="default" className={classes.add} onClick={attributes.addLine}>
        Add an attribute
      </Button>
      <ChangePreview changes={changes} />
      {dotless !== null && dotless === asked && (
        <Problem>
          <Notice tone="warn" title="Is this address complete?">
            The domain of <UntrustedText text={dotless} /> has no dot. Save again to keep it.
          </Notice>
        </Problem>
      )}
      {(saving.checkError ?? saving.error) !== null && !isShownAtField && (
        <Problem>
          {saving.checkError !== null && <ErrorAlert error={saving.checkError} note="Nothing was sent." />}
          {saving.error !== null && <ErrorAlert error={saving.error} {...describeUncertainty(saving.error)} />}
        </Problem>
      )}
      {saveDeniedReason !== null && <p className="soft">Saving {saveDeniedReason}</p>}
      <FormButtons>
        <CopyCurl endpoint={updateContact} input={canSave ? { contact, body: { attributes: body } } : null} />
        <Button
          size="xs"
          variant="default"
          onClick={() => {
            attributes.discard();
            onClose();
          }}
        >
          {isChanged ? 'Discard' : 'Cancel'}
        </Button>
        <Button size="xs" type="submit" disabled={!canSave || saveDeniedReason !== null} loading={saving.isPending}>
          Save
        </Button>
      </FormButtons>
    </Form>
  );
}

const DOTLESS = /@[^.@]*$/;

/** Focuses what prevents saving: a notice or the first wrong field. It may be out of sight. */
function useFocusOnProblem(form: RefObject<HTMLFormElement | null>, problem: unknown) {
  useEffect(() => {
    if (problem === null) return;
    const marked = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], [data-problem]');
    marked?.focus();
    marked?.scrollIntoView({ block: 'nearest' });
  }, [form, problem]);
}

const Problem = ({ children }: { children: ReactNode }) => (
  <div data-problem tabIndex={-1} className={classes.problem}>
    {children}
  </div>
);

type DraftNoticesProps = { keptSince: number | null; conflicts: readonly AttributeChange[]; isSaved: boolean };

function DraftNotices({ keptSince, conflicts, isSaved }: DraftNoticesProps) {
  const zone = useTimeZone();
  return (
    <>
      {keptSince !== null && (
        <Notice tone="neutral" title={`Unsaved changes from ${clockTime(keptSince, zone)}`}>
          They were kept when you left this page.
        </Notice>
      )}
      {conflicts.length > 0 && (
        <Problem>
          <Notice tone="warn" title="Someone else changed this contact while you were editing">
            <ChangeList changes={conflicts} />
            {isSaved
              ? 'Your changes are saved. Nothing was overwritten.'
              : 'Your changes are kept below. Save again to overwrite theirs.'}
          </Notice>
        </Problem>
      )}
    </>
  );
}

type RemovedAttributesProps = { saving: ReturnType<typeof useSaveAttributes>; onClose: () => void };

/** For a service that replaces all attributes instead of merging. */
function RemovedAttributesNotice({ saving, onClose }: RemovedAttributesProps) {
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

function ChangePreview({ changes }: { changes: readonly AttributeChange[] }) {
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
