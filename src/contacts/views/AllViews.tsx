import { ActionIcon } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { IconDots } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';
import type { ReadableSavedView } from '#contract/savedViews.ts';
import { escapeHidden } from '#contract/values/invisibleCharacters.ts';
import { ErrorAlert } from '../../api/ErrorAlert.tsx';
import { describeActor } from '../../identity/describeChange.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { UntrustedText } from '../../ui/values/UntrustedText.tsx';
import { Link } from '../../url/Link.tsx';
import { ChangeView, useMayChange } from './ChangeView.tsx';
import { OPENED_VIEW } from '../../url/paths.ts';
import { pathOfView } from './viewLink.ts';
import { viewsQuery } from './viewsQuery.ts';
import classes from './Views.module.css';

/** Own views and shared ones, each with what changes it. A link closes it. */
export function AllViews({ onClose }: { onClose: () => void }) {
  const views = useQuery(viewsQuery());
  const mayChange = useMayChange();
  const [changed, setChanged] = useState<ReadableSavedView>();
  const { key } = useLocation();
  const [opened] = useState(key);
  useEffect(() => {
    if (key !== opened) onClose();
  }, [key, opened, onClose]);
  return (
    <Dialog title="Views of contacts" closable onClose={onClose}>
      {views.error !== null && <ErrorAlert error={views.error} onRetry={() => void views.refetch()} />}
      {views.data?.data.length === 0 && (
        <p>There are no views. Search or filter contacts, and choose “Save view” next to the title.</p>
      )}
      <ul className={classes.all}>
        {views.data?.data.map((view) => (
          <li key={view.uuid}>
            <span>
              <Link to={pathOfView(view)} state={OPENED_VIEW}>
                <UntrustedText text={view.name ?? ''} />
              </Link>
              {view.shared === true && <small>{describeSharing(view)}</small>}
            </span>
            {mayChange(view) && (
              <ActionIcon
                variant="subtle"
                color="gray"
                aria-label={`Change the view ${escapeHidden(view.name ?? '')}`}
                aria-haspopup="dialog"
                title="Rename, share or delete"
                onClick={() => setChanged(view)}
              >
                <IconDots size={16} />
              </ActionIcon>
            )}
          </li>
        ))}
      </ul>
      {changed !== undefined && <ChangeView view={changed} onClose={() => setChanged(undefined)} />}
    </Dialog>
  );
}

function describeSharing({ own, owner }: ReadableSavedView) {
  if (own === true || owner === null) return 'Shared';
  return (
    <>
      Shared by <UntrustedText text={describeActor(owner)} />
    </>
  );
}
