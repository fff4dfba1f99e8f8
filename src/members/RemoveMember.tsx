import {
  listMembers,
  listSessions,
  listTokens,
  removeMember,
  revokeToken,
  type ReadableMember,
  type ReadableToken,
} from '#contract/members.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { unlessGone, useDialogChange, useIsOneself } from './queries.ts';
import { request } from '../api/client.ts';
import { ConfirmDialog } from '../api/FormDialog.tsx';
import { roleName } from '../session/roleNames.ts';

type Props = {
  member: ReadableMember;
  onTokens: (tokens: readonly ReadableToken[]) => void;
  onClose: () => void;
};

export function RemoveMember({ member, onTokens, onClose }: Props) {
  const isOneself = useIsOneself(member);
  const who = <UntrustedText text={member.name ?? member.email ?? member.uuid} />;
  return (
    <Confirm
      title={isOneself ? 'Remove yourself?' : <>Remove {who}?</>}
      act="Remove"
      done="Removed"
      endpoint={removeMember}
      input={{ member: member.uuid }}
      lists={[listMembers, listSessions]}
      onClose={onClose}
      onDone={(response) => {
        const tokens = response?.data.tokens ?? [];
        if (tokens.length > 0 && !isOneself) onTokens(tokens);
      }}
    >
      <p>
        {isOneself
          ? 'You will be signed out of this workspace immediately. Your past actions stay in the log. Access to other workspaces is unchanged.'
          : 'They lose access to this workspace on their next request. Their past actions stay in the log. Access to other workspaces is unchanged.'}
      </p>
      {member.source === 'group' && (
        <p>
          <strong>A group of {isOneself ? 'your' : 'their'} account grants access.</strong> Without removal from the
          group, {isOneself ? 'you return at your' : 'they return at their'} next sign-in.
        </p>
      )}
    </Confirm>
  );
}

type LeftTokensProps = { member: ReadableMember; tokens: readonly ReadableToken[]; onClose: () => void };

export function LeftTokens({ member, tokens, onClose }: LeftTokensProps) {
  const revokeAll = async () => {
    for (const { uuid } of tokens) await unlessGone(request(revokeToken, { token: uuid }));
  };
  const dialog = useDialogChange([listTokens, listSessions], revokeAll, { done: 'Tokens revoked', onClose });
  return (
    <ConfirmDialog {...dialog} title="Revoke their tokens too?" act="Revoke all" cancel="Keep all">
      <p>
        <UntrustedText text={member.name ?? member.email ?? member.uuid} /> created these access tokens, or someone did
        with one of them. They still work for anyone who knows their secret. To revoke only some, keep them and go to
        Tokens.
      </p>
      <ul className="bullets">
        {tokens.map((token) => (
          <li key={token.uuid}>
            <UntrustedText text={token.name ?? token.uuid} /> (
            <UntrustedText text={roleName(token.role ?? 'unknown role')} />)
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
