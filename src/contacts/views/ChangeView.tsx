import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { listViews, type ReadableSavedView, removeView, updateView } from '#contract/savedViews.ts';
import { isNotFound } from '../../api/ApiError.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ConfirmDialog, FormDialog } from '../../api/FormDialog.tsx';
import { useSession } from '../../session/useSession.ts';
import { announce } from '../../ui/page/announce.ts';
import { useForm } from '../../ui/useForm.ts';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { validateName } from './SaveView.tsx';
import { ShareField } from './ShareField.tsx';

/** Whether the user may change a view. A service that doesn't return a role refuses by itself. */
export function useMayChange(): (view: ReadableSavedView) => boolean {
  const { role } = useSession();
  return ({ own }) => own === true || role === null || role === 'admin';
}

type Props = { view: ReadableSavedView; onClose: () => void };

/** Renames, shares or deletes a view. */
export function ChangeView({ view, onClose }: Props) {
  const client = useQueryClient();
  const { values, field, submit } = useForm({ name: view.name ?? '' }, validateName);
  const [isShared, setShared] = useState(view.shared === true);
  const [isDeleting, setDeleting] = useState(false);
  const change = useMutation({
    mutationFn: () => request(updateView, { view: view.uuid, body: { name: values.name.trim(), shared: isShared } }),
    onSuccess: async () => {
      await readAgain(client, listViews);
      announce('View changed');
      onClose();
    },
  });
  if (isDeleting) return <DeleteView view={view} onClose={onClose} />;
  return (
    <FormDialog
      title="Change view"
      act="Save"
      call={change}
      onSubmit={() => submit(() => change.mutate())}
      onClose={onClose}
    >
      <TextInput label="Name" required autoComplete="off" {...field('name')} />
      <ShareField isShared={isShared} onChange={setShared} />
      {view.own !== true && !isShared && <p>Only the person who saved it will still see it.</p>}
      <div>
        <Button size="xs" variant="subtle" color="red" onClick={() => setDeleting(true)}>
          Delete view
        </Button>
      </div>
    </FormDialog>
  );
}

function DeleteView({ view, onClose }: Props) {
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: async () => {
      try {
        await request(removeView, { view: view.uuid });
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
    onSuccess: async () => {
      await readAgain(client, listViews);
      announce('View deleted');
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={
        <>
          Delete the view <UntrustedText text={view.name ?? ''} />?
        </>
      }
      act="Delete"
      call={remove}
      onSubmit={() => remove.mutate()}
      onClose={onClose}
    >
      <p>
        {view.shared === true && 'Everyone in the workspace loses it. '}
        Contacts don’t change.
      </p>
    </ConfirmDialog>
  );
}
