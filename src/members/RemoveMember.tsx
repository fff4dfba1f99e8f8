import { listMembers, listSessions, type ReadableMember, type ReadableToken, removeMember } from '#contract/members.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { useIsOneself } from './useIsOneself.ts';

type Props = {
  member: ReadableMember;
  /** Called with the active tokens that they created, if any. */
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
