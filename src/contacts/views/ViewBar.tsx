import { ActionIcon, Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconDots } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReadableSavedView } from '#contract/savedViews.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { usePageActions } from '../../ui/page/actions.ts';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { useUrlQuery } from '../../url/urlState.ts';
import { AllViews } from './AllViews.tsx';
import { ChangeView, useMayChange } from './ChangeView.tsx';
import { SaveView } from './SaveView.tsx';
import { findView, toViewQuery } from './viewLink.ts';
import { viewsQuery } from './viewsQuery.ts';
import classes from './Views.module.css';

/** Next to the title: the view that is shown, or what saves one, and all views. `isPersonal`: the search isn't in the URL. */
export function ViewBar({ isPersonal }: { isPersonal: boolean }) {
  const [query] = useUrlQuery();
  const views = useQuery(viewsQuery());
  const all = views.data?.data ?? [];
  const view = isPersonal ? undefined : findView(all, query);
  const [open, setOpen] = useState<'save' | 'change' | 'all'>();
  const canSave = view === undefined && !isPersonal && !views.isPending && toViewQuery(query) !== '';
  usePageActions([
    ...(canSave ? [{ id: 'save-view', label: 'Save this view', run: () => setOpen('save') }] : []),
    { id: 'all-views', label: 'All views of contacts', run: () => setOpen('all') },
  ]);
  const close = () => setOpen(undefined);
  return (
    <div className={classes.bar} role="group" aria-label="View" tabIndex={-1}>
      {view !== undefined && <Current view={view} onChange={() => setOpen('change')} />}
      {canSave && (
        <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setOpen('save')}>
          Save view
        </Button>
      )}
      {(all.length > 0 || views.isError) && (
        <Button size="xs" variant="default" aria-haspopup="dialog" onClick={() => setOpen('all')}>
          Views
        </Button>
      )}
      {open === 'save' && <SaveView views={all} onClose={close} />}
      {open === 'change' && view !== undefined && <ChangeView view={view} onClose={close} />}
      {open === 'all' && <AllViews onClose={close} />}
    </div>
  );
}

function Current({ view, onChange }: { view: ReadableSavedView; onChange: () => void }) {
  const name = view.name ?? '';
  return (
    <>
      <strong className={classes.name} title={escapeHidden(name)}>
        <UntrustedText text={name} />
      </strong>
      {view.shared === true && (
        <span className={classes.shared}>
          <StatusBadge tone="neutral">Shared</StatusBadge>
        </span>
      )}
      {useMayChange()(view) && (
        <ActionIcon
          variant="default"
          size={30}
          aria-label={`Change the view ${escapeHidden(name)}`}
          aria-haspopup="dialog"
          title="Rename, share or delete"
          onClick={onChange}
        >
          <IconDots size={16} />
        </ActionIcon>
      )}
    </>
  );
}
