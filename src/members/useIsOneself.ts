import type { ReadableMember } from '#contract/members.ts';
import { useSession } from '../session/useSession.ts';

/** Whether the member is the signed-in person, by their email. An invitation isn't a person yet. */
export function useIsOneself({ email, last_seen_at }: ReadableMember): boolean {
  const { person } = useSession();
  if (person === null || last_seen_at === null || !email) return false;
  return email.toLowerCase() === person.email.toLowerCase();
}
