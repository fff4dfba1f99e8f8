import { TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { createView, listViews, type ReadableSavedView, updateView, VIEW_NAME_MAX } from '#contract/savedViews.ts';
import { readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { FormDialog } from '../../api/FormDialog.tsx';
import { columnsParam, useColumnChoice } from '../../table/useColumnChoice.ts';
import { announce } from '../../ui/page/announce.ts';
import { findTextError, useForm } from '../../ui/useForm.ts';
import { useUrlQuery, writeQuery } from '../../url/urlState.ts';
import { ShareField } from './ShareField.tsx';
import { pathOfView, toViewQuery } from './viewLink.ts';

const COLUMNS = { columns: columnsParam };

type Props = { views: readonly ReadableSavedView[]; onClose: () => void };

/** Saves what the page lists. A name that the user has already stands for that view, which then gets this list. */
export function SaveView({ views, onClose }: Props) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [current] = useUrlQuery();
  const { chosen } = useColumnChoice('contacts');
  const query = toViewQuery(writeQuery(COLUMNS, { columns: chosen ?? '' }, current));
  const { values, field, submit } = useForm({ name: '' }, validateName);
  const [isShared, setShared] = useState(false);
  const name = values.name.trim();
  const replaced = views.find(
    (view) => view.own === true && name !== '' && view.name?.toLowerCase() === name.toLowerCase(),
  );
  const save = useMutation({
    mutationFn: () =>
      replaced === undefined
        ? request(createView, { body: { name, query, shared: isShared } })
        : request(updateView, { view: replaced.uuid, body: { query } }),
    onSuccess: async ({ data }) => {
      await readAgain(client, listViews);
      announce(`View ${name} saved`);
      onClose();
      // With the columns that were saved.
      void navigate(pathOfView(data), { replace: true });
    },
  });
  return (
    <FormDialog
      title={replaced === undefined ? 'Save view' : 'Replace view'}
      act={replaced === undefined ? 'Save' : 'Replace'}
      call={save}
      onSubmit={() => submit(() => save.mutate())}
      onClose={onClose}
    >
      <p>Saves the search, filter, order and columns. The view always lists the contacts that match at the time.</p>
      <TextInput label="Name" required autoComplete="off" {...field('name')} />
      {replaced === undefined ? (
        <ShareField isShared={isShared} onChange={setShared} />
      ) : (
        <p>
          You already have a view with this name. It will show this list instead
          {replaced.shared === true ? ', for everyone' : ''}.
        </p>
      )}
    </FormDialog>
  );
}

export const validateName = ({ name }: { name: string }) => ({
  name: findTextError(name, VIEW_NAME_MAX, 'Enter a name.'),
});
