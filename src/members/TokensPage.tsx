import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { createToken, listTokens, type ReadableToken, revokeToken, Token, TOKEN_NAME_MAX } from '#contract/members.ts';
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
import { EndCut, UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { RequireOperation } from './RequireOperation.tsx';
import classes from './Team.module.css';
import { TeamTabs } from './TeamTabs.tsx';
import { RowButton, timeColumn } from './columns.tsx';
import { tokensQuery, UNSORTED, useMembersChange } from './queries.ts';
import { ROLES } from '#contract/role.ts';
import { request } from '../api/client.ts';
import { CopyCurl } from '../api/CopyCurl.tsx';
import { FormDialog } from '../api/FormDialog.tsx';
import { useUnsavedDraft } from '../session/unsavedDrafts.ts';
import { Choice } from '../ui/Choice.tsx';
import { findTextError, useForm } from '../ui/useForm.ts';
import { CopyDialog } from './CopyDialog.tsx';
import { FIRST_ROLE, RoleField } from './RoleField.tsx';

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
      <TeamTabs />
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
        empty={<ListEmpty list={list} what="token" hint="Create one for each program that uses this service." />}
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
  { id: 'name', header: 'Name', cell: ({ name }) => <EndCut text={name} />, width: 'auto' },
  { id: 'role', header: 'Role', cell: ({ role }) => <EndCut text={role && roleName(role)} />, width: 90 },
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

const EXPIRIES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: '', label: 'Never' },
] as const;

/** Creates a token, and shows its secret once. */
function CreateToken({ onClose }: { onClose: () => void }) {
  const { values, isValid, field, set, submit } = useForm({ name: '', role: FIRST_ROLE, days: '90' }, validate);
  const create = useMembersChange([listTokens], (body: Body) => request(createToken, { body }));
  if (create.isSuccess) {
    // The fields may have changed during the call.
    return <Created name={create.variables.name} secret={create.data.data.secret} onClose={onClose} />;
  }
  return (
    <FormDialog
      title="Create a token"
      act="Create"
      call={create}
      curl={<CopyCurl endpoint={createToken} input={isValid ? { body: bodyOf(values) } : null} />}
      onSubmit={() => submit(() => create.mutate(bodyOf(values)))}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Its purpose, for example “CRM sync”. Shown in the log."
        required
        autoComplete="off"
        {...field('name')}
      />
      <RoleField roles={ROLES} value={values.role} onChange={(role) => set('role', role)} />
      <div className={classes.field}>
        <span>Expires after</span>
        <Choice label="Expires after" value={values.days} choices={EXPIRIES} onChange={(days) => set('days', days)} />
      </div>
    </FormDialog>
  );
}

type CreatedProps = { name: string; secret: string; onClose: () => void };

function Created({ name, secret, onClose }: CreatedProps) {
  useUnsavedDraft(true);
  return (
    <CopyDialog
      title={
        <>
          Token <UntrustedText text={name} />
        </>
      }
      value={secret}
      what="token"
      isOnce
      onClose={onClose}
    >
      <strong>Copy it now.</strong> It won’t be shown again: we store only its fingerprint.
    </CopyDialog>
  );
}

type Values = { name: string; role: string; days: string };
type Body = ReturnType<typeof bodyOf>;

const bodyOf = ({ name, role, days }: Values) => ({
  name: name.trim(),
  role: ROLES.find((one) => one === role) ?? FIRST_ROLE,
  ...(days !== '' && { expires_at: new Date(Date.now() + Number(days) * 86_400_000).toISOString() }),
});

const validate = ({ name }: Values) => ({ name: findTextError(name, TOKEN_NAME_MAX, 'Enter a name.') });
