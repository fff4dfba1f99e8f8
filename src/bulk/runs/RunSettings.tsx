import { Button, TextInput } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { getRunSettings, listRuns, RUN_ENTRIES_MAX, updateRunSettings } from '#contract/runs/runs.ts';
import { apiQuery, readAgain } from '../../api/apiQuery.ts';
import { request } from '../../api/client.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { FormDialog } from '../../api/FormDialog.tsx';
import { useMissingRole } from '../../session/useMissingRole.ts';
import { formatCount } from '../../ui/format/formatCount.ts';
import { useForm } from '../../ui/useForm.ts';
import classes from './Runs.module.css';

/** Above how many contacts a run needs approval. An admin changes it. */
export function RunSettings() {
  const settings = useQuery(apiQuery(getRunSettings, {}));
  const mayChange = useMissingRole(updateRunSettings) === null;
  const [isChanging, setChanging] = useState(false);
  if (settings.isError) return <ErrorAlert error={settings.error} onRetry={() => void settings.refetch()} />;
  if (settings.data === undefined) return null;
  const { approval_above: above } = settings.data.data;
  return (
    <div className={`note ${classes.settings}`}>
      {above === null
        ? 'No run needs approval.'
        : `A second person approves runs of more than ${formatCount(above)} ${above === 1 ? 'contact' : 'contacts'}.`}
      {mayChange && (
        <Button size="compact-sm" variant="subtle" onClick={() => setChanging(true)}>
          Change approval
        </Button>
      )}
      {isChanging && <ChangeApproval above={above} onClose={() => setChanging(false)} />}
    </div>
  );
}

function ChangeApproval({ above, onClose }: { above: number | null; onClose: () => void }) {
  const client = useQueryClient();
  const form = useForm({ above: above === null ? '' : String(above) }, (values) => {
    const text = values.above.trim();
    const isFine = text === '' || (/^\d{1,6}$/.test(text) && Number(text) >= 1 && Number(text) <= RUN_ENTRIES_MAX);
    return isFine ? {} : { above: `Enter a whole number from 1 to ${formatCount(RUN_ENTRIES_MAX)}, or nothing.` };
  });
  const call = useMutation({
    mutationFn: (text: string) =>
      request(updateRunSettings, { body: { approval_above: text === '' ? null : Number(text) } }),
    onSuccess: async () => {
      onClose();
      await Promise.all([getRunSettings, listRuns].map((each) => readAgain(client, each)));
    },
  });
  return (
    <FormDialog
      title="Approval of bulk runs"
      act="Save"
      call={call}
      onSubmit={() => form.submit((values) => call.mutate(values.above.trim()))}
      onClose={onClose}
    >
      <TextInput
        label="A second person approves runs of more contacts than"
        description="Leave it empty to switch approval off. Both people need an account; a token can’t approve."
        inputMode="numeric"
        autoComplete="off"
        {...form.field('above')}
      />
    </FormDialog>
  );
}
