import { useEffect, useState, type RefObject } from 'react';
import type { ReadableContact } from '#contract/contact.ts';
import { updateContact } from '#contract/interface.ts';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { useAttributeDraft, useSaveAttributes } from './useAttributeForm.ts';

export type EditProps = { contact: string; record: ReadableContact | undefined; onClose: () => void };

export type AttributeEditor = ReturnType<typeof useAttributeEditor>;

/** A form for attributes, all of them or one: what is typed, what prevents saving it, and where the focus belongs. */
export function useAttributeEditor({ contact, record, onClose }: EditProps, form: RefObject<HTMLFormElement | null>) {
  const attributes = useAttributeDraft(contact, record);
  const saving = useSaveAttributes(contact, attributes, onClose);
  const saveDeniedReason = useMissingRole(updateContact);
  const { conflicts, body, keptSince } = attributes;
  useInitialFocus(form, keptSince === null);
  const typed = typeof body['email'] === 'string' && DOTLESS.test(body['email']) ? body['email'] : null;
  const [asked, setAsked] = useState<string | null>(null);
  const problem = saving.error ?? saving.checkError ?? (typed === null ? null : asked);
  useFocusOnProblem(form, conflicts.length > 0 ? conflicts : problem);
  return {
    attributes,
    saving,
    saveDeniedReason,
    /** An address that needs to be saved twice. */
    dotless: typed !== null && typed === asked ? typed : null,
    submit: () => {
      if (typed === null || typed === asked) void saving.save();
      else setAsked(typed);
    },
    discard: () => {
      attributes.discard();
      onClose();
    },
  };
}

const DOTLESS = /@[^.@]*$/;

/** Unless the page opened the form. */
function useInitialFocus(form: RefObject<HTMLFormElement | null>, isOpenedByUser: boolean) {
  useEffect(() => {
    const field = ['input, textarea', 'select'].map((fields) => form.current?.querySelector<HTMLElement>(fields));
    if (isOpenedByUser) field.find(Boolean)?.focus();
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
