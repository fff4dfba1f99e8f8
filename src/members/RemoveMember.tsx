import { listMembers, listSessions, type ReadableMember, type ReadableToken, removeMember } from '#contract/members.ts';
import { UntrustedText } from '../ui/values/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { useIsOneself } from './useIsOneself.ts';

type Props = {
  member: ReadableMember;
  /** Gets the tokens that they created and that are still accepted, if there are any. */
  onTokens: (tokens: readonly ReadableToken[]) => void;
  onClose: () => void;
};

/** Asks before a person is removed, and says what stays. */
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
          ? 'You will be signed out of this workspace at once. What you did stays in the log, and your access to other workspaces as it is.'
          : 'They can no longer open this workspace, from their next click on. What they did stays in the log, and their access to other workspaces as it is.'}
      </p>
      {member.source === 'group' && (
        <p>
          {isOneself ? (
            <>
              <strong>A group of your account lets you in.</strong> You come back at your next sign-in unless you are
              taken out of the group.
            </>
          ) : (
            <>
              <strong>A group of their account lets them in.</strong> They come back at their next sign-in unless they
              are taken out of the group.
            </>
          )}
        </p>
      )}
    </Confirm>
  );
}
