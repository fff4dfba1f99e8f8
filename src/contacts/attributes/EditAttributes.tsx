import { Button } from '@mantine/core';
import { useRef } from 'react';
import { updateContact } from '#contract/interface.ts';
import { CopyCurl } from '../../api/CopyCurl.tsx';
import { Form, FormButtons } from '../../ui/Form.tsx';
import { AttributeFields } from './AttributeFields.tsx';
import classes from './EditAttributes.module.css';
import {
  ChangePreview,
  describeFieldError,
  DraftNotices,
  EditProblems,
  RemovedAttributesNotice,
} from './EditNotices.tsx';
import { useAttributeEditor, type EditProps } from './useAttributeEditor.ts';

/** The form for attributes: previews the changes, sends only those, and detects concurrent edits by `updated_at`. */
export function EditAttributes(props: EditProps) {
  const form = useRef<HTMLFormElement>(null);
  const editor = useAttributeEditor(props, form);
  const { attributes, saving, saveDeniedReason } = editor;
  const { lines, changes, body, canSave, keptSince, isChanged } = attributes;
  const add = useRef<HTMLButtonElement>(null);

  if (Object.keys(saving.removed).length > 0)
    return <RemovedAttributesNotice saving={saving} onClose={props.onClose} />;
  return (
    <Form ref={form} className={classes.form} onSubmit={editor.submit}>
      <DraftNotices contact={props.contact} keptSince={keptSince} attributes={attributes} />
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
      <EditProblems editor={editor} />
      <FormButtons>
        <CopyCurl
          endpoint={updateContact}
          input={canSave ? { contact: props.contact, body: { attributes: body } } : null}
        />
        <Button size="xs" variant="default" onClick={editor.discard}>
          {isChanged ? 'Discard' : 'Cancel'}
        </Button>
        <Button size="xs" type="submit" disabled={!canSave || saveDeniedReason !== null} loading={saving.isPending}>
          Save
        </Button>
      </FormButtons>
    </Form>
  );
}
