import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Meta } from '#contract/list.ts';
import { formatCount } from '../ui/format/formatCount.ts';
import { refocusOnRemoval } from '../ui/page/refocusOnRemoval.ts';
import { Notice } from '../ui/Notice.tsx';
import { useHasAdditions, useSession } from '../session/useSession.ts';
import { CopyButton } from '../ui/values/CopyButton.tsx';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { ImportLink } from './ImportLink.tsx';
import type { ListControl } from './useList.ts';

type PastTheEndProps = { what: string; meta: Meta; onPage: (page: number) => void };

export function PastTheEnd({ what, meta, onPage }: PastTheEndProps) {
  return (
    <>
      <p>
        Page {formatCount(meta.current_page)} doesn’t exist. The last page of {formatCount(meta.total)} {what} is{' '}
        {formatCount(meta.last_page)}.
      </p>
      <div>
        <Button ref={refocusOnRemoval} variant="default" size="xs" mr={8} onClick={() => onPage(1)}>
          Go to the first page
        </Button>
        <Button ref={refocusOnRemoval} variant="default" size="xs" onClick={() => onPage(meta.last_page)}>
          Go to the last page
        </Button>
      </div>
    </>
  );
}

/** Says which parameters of the URL can't be read. */
export function IgnoredParams({ list: { ignored, change } }: { list: ListControl }) {
  return (
    <Notice
      tone="warn"
      title="Part of this link was ignored"
      actions={
        <Button variant="default" size="xs" onClick={() => change({})}>
          Remove it
        </Button>
      }
    >
      {ignored.map((param) => (
        <p key={param}>
          <code>
            <UntrustedText text={param} />
          </code>
        </p>
      ))}
    </Notice>
  );
}

type ListEmptyProps = {
  list: ListControl;
  what: string;
  hint?: string;
  /** Rows come from a file of these. */
  imports?: 'contacts' | 'domains' | 'addresses';
  /** What else may have been meant. */
  instead?: ReactNode;
};

const pluralOf = (what: string) =>
  what.endsWith('y') ? `${what.slice(0, -1)}ies` : `${what}${what.endsWith('s') ? 'es' : 's'}`;

export function ListEmpty({ list, what, hint, imports, instead }: ListEmptyProps) {
  const { search, filters } = list.state;
  const isFiltered = Object.keys(filters).length > 0;
  if (search === '' && !isFiltered) {
    return (
      <>
        <p>No {pluralOf(what)} yet.</p>
        {hint !== undefined && <p>{hint}</p>}
        {imports === 'contacts' && <ImportLink label="Import contacts from a file" />}
        {imports !== undefined && <ImportCommand of={imports} />}
      </>
    );
  }
  return (
    <>
      <p>
        {search === '' ? (
          `No ${what} matches this filter.`
        ) : (
          <>
            No {what} matches “<UntrustedText text={list.typed ?? search} />”{isFiltered && ' with this filter'}.
          </>
        )}
      </p>
      {instead}
      {search !== '' && isFiltered && (
        <Button ref={refocusOnRemoval} variant="default" size="xs" mr={8} onClick={() => list.change({ filters: {} })}>
          Remove the filter
        </Button>
      )}
      <Button
        ref={refocusOnRemoval}
        variant="default"
        size="xs"
        onClick={() => list.change({ search: '', filters: {} })}
      >
        Show all
      </Button>
    </>
  );
}

function ImportCommand({ of }: { of: string }) {
  const { workspace_uuid } = useSession();
  const command = `sendroom admin import ${of} FILE --workspace ${workspace_uuid ?? 'UUID'}`;
  if (!useHasAdditions()) return null;
  return (
    <>
      <p>Add {of} from a file, on a machine that reaches the database:</p>
      <p>
        <code>{command}</code> <CopyButton value={command} what="command" />
      </p>
    </>
  );
}
