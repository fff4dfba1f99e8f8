import type { Refusal } from '#contract/session.ts';

type Sentences = { title: string; text: string };

/** Why a sign-in with the organisation's account led back to the sign-in page, and what to do; by the code of the service. */
export function describeRefusal(code: string, account: string): Sentences {
  const texts: Record<Refusal, Sentences> = {
    not_invited: {
      title: 'This account has no access here',
      text: `You signed in to ${account}, but this account was not invited here, or was removed. Ask an admin of your workspace to invite its email address.`,
    },
    email_not_verified: {
      title: 'Your email address is not verified',
      text: `${account} says that the address of your account is not verified. Verify it there, then sign in again.`,
    },
    suspended: {
      title: 'Your workspace is suspended',
      text: 'You are invited, but the workspace is out of service now. Ask whoever runs this service.',
    },
    provider_unreachable: {
      title: `${account} does not answer`,
      text: 'Try again in a minute. If it stays so, tell whoever runs this service.',
    },
    provider_refused: {
      title: `${account} did not sign you in`,
      text: 'Try again. If it stays so, ask whoever manages your account whether you may use Sendroom.',
    },
    expired: {
      title: 'This sign-in took too long, or was begun in another browser',
      text: 'Sign in again.',
    },
    clock: {
      title: 'Two clocks differ by more than a minute',
      text: `The clocks of this service and of ${account} show different times, so nobody can sign in. Tell whoever runs this service.`,
    },
    other: {
      title: 'You could not be signed in',
      text: 'Try again. If it stays so, tell whoever runs this service; its log says why.',
    },
  };
  return Object.hasOwn(texts, code) ? texts[code as Refusal] : texts.other;
}
