import { Button } from '@mantine/core';
import { useRef } from 'react';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { useIdentityField } from '../../session/useSession.ts';
import { Form, FormButtons } from '../../ui/Form.tsx';
import { ChangeList } from '../timeline/ChangeList.tsx';
import { ValueField } from './AttributeFields.tsx';
import { hintAt } from './attributeHints.ts';
import classes from './EditAttributes.module.css';
import { describeFieldError, DraftNotices, EditProblems, RemovedAttributesNotice } from './EditNotices.tsx';
import { useAttributeEditor, type EditProps } from './useAttributeEditor.ts';

/** One value in its place, with its type kept. Drafts, conflicts and errors are those of the whole form. */
export function EditAttribute({ attribute, ...props }: EditProps & { attribute: string }) {
  const identityField = useIdentityField();
  const form = useRef<HTMLFormElement>(null);
  const editor = useAttributeEditor(props, form);
  const { attributes, saving, saveDeniedReason } = editor;
  const { lines, changes, canSave } = attributes;
  // After somebody else's change the lines are new ones.
  const line = lines.find(({ key }) => key === attribute);

  if (Object.keys(saving.removed).length > 0)
    return <RemovedAttributesNotice saving={saving} onClose={props.onClose} />;
  return (
    <Form
      ref={form}
      className={classes.form}
      onSubmit={editor.submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
        event.stopPropagation();
        editor.discard();
      }}
    >
      <DraftNotices contact={props.contact} keptSince={null} attributes={attributes} />
      {line !== undefined && (
        <ValueField
          line={line}
          name={escapeHidden(attribute)}
          error={attributes.errors.get(line.id) ?? describeFieldError(line, saving)}
          hint={line.kind === 'text' ? hintAt(line.key, line.text, identityField) : null}
          onEdit={(part) => {
            saving.clearError();
            attributes.edit(line.id, part);
          }}
        />
      )}
      {changes.length > 0 && (
        <div className={classes.preview} aria-live="polite">
          <ChangeList changes={changes} />
        </div>
      )}
      <EditProblems editor={editor} />
      <FormButtons>
        <Button size="xs" variant="default" title="Cancel (Esc)" onClick={editor.discard}>
          Cancel
        </Button>
        <Button
          size="xs"
          type="submit"
          title="Save (Enter)"
          disabled={!canSave || saveDeniedReason !== null}
          loading={saving.isPending}
        >
          Save
        </Button>
      </FormButtons>
    </Form>
  );
}
