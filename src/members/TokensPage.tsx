import { Button } from '@mantine/core';
import { useState } from 'react';
import { createToken, listTokens, type ReadableToken, revokeToken, Token } from '#contract/members.ts';
import { roleName } from '../session/roleNames.ts';
import { DataTable, type Column } from '../table/DataTable.tsx';
import { ListEmpty } from '../table/ListFrame.tsx';
import { ListMenu } from '../table/ListMenu.tsx';
import { ListFacts, ListToolbar } from '../table/ListToolbar.tsx';
import { SearchInput } from '../table/SearchInput.tsx';
import { useList } from '../table/useList.ts';
import { usePageActions } from '../ui/page/actions.ts';
import { PageTitle } from '../ui/PageTitle.tsx';
import { StatusBadge } from '../ui/values/StatusBadge.tsx';
import { localDate, parseTime } from '../ui/format/time.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { CreateToken } from './CreateToken.tsx';
import { RequireOperation } from './RequireOperation.tsx';
import classes from './People.module.css';
import { PeopleTabs } from './PeopleTabs.tsx';
import { RowButton, timeColumn } from './columns.tsx';
import { tokensQuery, UNSORTED } from './queries.ts';

export function TokensPage() {
  return (
    <RequireOperation operation={listTokens} title="Tokens" what="The list of tokens">
      <Tokens />
    </RequireOperation>
  );
}

type Asked = { what: 'create' } | { what: 'revoke'; token: ReadableToken };

function Tokens() {
  const { list, query } = useList(UNSORTED, tokensQuery);
  const [asked, ask] = useState<Asked | null>(null);
  const close = () => ask(null);
  const create = () => ask({ what: 'create' });
  usePageActions([{ id: createToken.id, label: 'Create a token', run: create }]);
  const columns = defineTokenColumns((token) => ask({ what: 'revoke', token }));
  const source = {
    what: 'tokens',
    endpoint: listTokens,
    input: { query: { page: list.state.page, per_page: list.state.perPage, search: list.state.search } },
    columns: Object.keys(Token.shape),
    fileName: 'tokens',
  };
  return (
    <>
      <PageTitle title="Tokens">
        <ListFacts query={query} />
      </PageTitle>
      <PeopleTabs />
      <ListToolbar>
        <SearchInput list={list} label="Search tokens" placeholder="Search by name" />
        <Button size="xs" onClick={create}>
          Create a token
        </Button>
        <ListMenu source={source} total={query.data?.meta.total} columns={columns} />
      </ListToolbar>
      <DataTable
        what="tokens"
        columns={columns}
        query={query}
        list={list}
        keepsRows
        choosable
        empty={<ListEmpty list={list} what="token" hint="Programs need a token to use this service." />}
      />
      {asked?.what === 'create' && <CreateToken onClose={close} />}
      {asked?.what === 'revoke' && (
        <Confirm
          title={
            <>
              Revoke <UntrustedText text={asked.token.name ?? asked.token.uuid} />?
            </>
          }
          act="Revoke"
          done="Token revoked"
          endpoint={revokeToken}
          input={{ token: asked.token.uuid }}
          lists={[listTokens]}
          onClose={close}
        >
          <p>
            Programs that use it are refused from their next request on, and its console sessions end. This cannot be
            undone.
          </p>
        </Confirm>
      )}
    </>
  );
}

/** Only the UTC day is known. */
const utcDay = (date: Date) => localDate(date, 'UTC');

const defineTokenColumns = (revoke: (token: ReadableToken) => void): readonly Column<ReadableToken>[] => [
  { id: 'name', header: 'Name', cell: ({ name }) => <UntrustedText text={name ?? '–'} />, width: 'auto' },
  { id: 'role', header: 'Role', cell: ({ role }) => <UntrustedText text={roleName(role ?? '–')} />, width: 90 },
  { id: 'state', header: 'State', cell: (token) => <TokenState token={token} />, width: 96 },
  timeColumn('created_at', 'Created', { from: 'wide' }),
  timeColumn('expires_at', 'Expires', { from: 'medium', show: localDate, never: true }),
  timeColumn('last_used_on', 'Last used', { show: utcDay, never: true }),
  {
    id: 'acts',
    header: 'Change',
    cell: (token) =>
      isOver(token) || (
        <span className={classes.acts}>
          <RowButton label="Revoke" which={`Revoke ${token.name ?? token.uuid}`} isRed onClick={() => revoke(token)} />
        </span>
      ),
    width: 84,
    align: 'end',
  },
];

const isExpired = ({ expires_at }: ReadableToken) => {
  const end = parseTime(expires_at);
  return end !== null && end.getTime() <= Date.now();
};

const isOver = (token: ReadableToken) => token.revoked_at !== null || isExpired(token);

function TokenState({ token }: { token: ReadableToken }) {
  if (token.revoked_at !== null) return <StatusBadge tone="bad">Revoked</StatusBadge>;
  return isExpired(token) ? (
    <StatusBadge tone="warn">Expired</StatusBadge>
  ) : (
    <StatusBadge tone="good">Active</StatusBadge>
  );
}
