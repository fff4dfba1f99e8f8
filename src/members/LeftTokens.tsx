import { listSessions, listTokens, type ReadableMember, type ReadableToken, revokeToken } from '#contract/members.ts';
import { request } from '../api/client.ts';
import { ConfirmDialog } from '../api/FormDialog.tsx';
import { roleName } from '../session/roleNames.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { unlessGone, useDialogChange } from './queries.ts';

type Props = { member: ReadableMember; tokens: readonly ReadableToken[]; onClose: () => void };

/** Offers to revoke the tokens that a removed member created. */
export function LeftTokens({ member, tokens, onClose }: Props) {
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
      <ul>
        {tokens.map((token) => (
          <li key={token.uuid}>
            <UntrustedText text={token.name ?? token.uuid} /> (
            <UntrustedText text={roleName(token.role ?? '–')} />)
          </li>
        ))}
      </ul>
    </ConfirmDialog>
  );
}
