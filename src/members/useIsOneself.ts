import type { ReadableMember } from '#contract/members.ts';
import { useSession } from '../session/useSession.ts';

/** Whether a member is the person who is signed in, whom the list knows by their address. An invitation is nobody yet. */
export function useIsOneself({ email, last_seen_at }: ReadableMember): boolean {
  const { person } = useSession();
  if (person === null || last_seen_at === null || !email) return false;
  return email.toLowerCase() === person.email.toLowerCase();
}
