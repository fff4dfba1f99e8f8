import { listMembers, listSessions, type ReadableMember, removeMember } from '#contract/people.ts';
import { UntrustedText } from '../ui/UntrustedText.tsx';
import { Confirm } from './Confirm.tsx';
import { useIsOneself } from './useIsOneself.ts';

/** Asks before a person is removed, and says what stays. */
export function RemoveMember({ member, onClose }: { member: ReadableMember; onClose: () => void }) {
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
