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
  const saveDeniedReason = useMissingRole(updateContact);
  const { lines, conflicts, changes, body, canSave, keptSince, isChanged } = attributes;
  const form = useRef<HTMLFormElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  useInitialFocus(form, keptSince === null);
  const dotless = typeof body['email'] === 'string' && DOTLESS.test(body['email']) ? body['email'] : null;
  const [asked, setAsked] = useState<string | null>(null);
  const problem = saving.error ?? saving.checkError ?? (dotless === null ? null : asked);
  useFocusOnProblem(form, conflicts.length > 0 ? conflicts : problem);
  const discard = () => {
    attributes.discard();
    onClose();
  };
  const submit = () => {
    if (dotless === null || dotless === asked) void saving.save();
    else setAsked(dotless);
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
          error={attributes.errors.get(line.id) ?? describeFieldError(line, saving)}
          onEdit={(part) => {
            saving.clearError();
            attributes.edit(line.id, part);
          }}
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
      {dotless !== null && dotless === asked && <DotlessProblem address={dotless} />}
      <SaveProblem saving={saving} lines={lines} />
      {saveDeniedReason !== null && <p className="soft">Saving {saveDeniedReason}</p>}
      <FormButtons>
        <CopyCurl endpoint={updateContact} input={canSave ? { contact, body: { attributes: body } } : null} />
        <Button size="xs" variant="default" onClick={discard}>
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

/** Unless the page opened the form. */
function useInitialFocus(form: RefObject<HTMLFormElement | null>, isOpenedByUser: boolean) {
  useEffect(() => {
    if (isOpenedByUser) form.current?.querySelector<HTMLElement>('input, textarea')?.focus();
  }, [form, isOpenedByUser]);
}

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

const DotlessProblem = ({ address }: { address: string }) => (
  <Problem>
    <Notice tone="warn" title="Is this address complete?">
      The domain of <UntrustedText text={address} /> has no dot. Save again to keep it.
    </Notice>
  </Problem>
);

type Saving = ReturnType<typeof useSaveAttributes>;

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

function describeFieldError({ key, text }: DraftLine, { error, fieldErrors }: Saving): ReactNode {
  const message = fieldErrors.get(`attributes.${key}`);
  if (message === undefined || !isTaken(error)) return message;
  return (
    <>
      <UntrustedText text={message} /> <Link to={paths.contact(text.trim())}>Open that contact</Link>
    </>
  );
}

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

type RemovedAttributesProps = { saving: Saving; onClose: () => void };

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
