import type { Refusal } from '#contract/session.ts';

type Sentences = { title: string; text: string };

/** Why a sign-in with the organisation's account failed, and what to do. */
export function describeRefusal(code: string, account: string): Sentences {
  const texts: Record<Refusal, Sentences> = {
    not_invited: {
      title: 'This account has no access here',
      text: `You signed in to ${account}, but this account wasn’t invited or was removed. Ask a workspace admin to invite its email.`,
    },
    email_not_verified: {
      title: 'Your email address is not verified',
      text: `Verify the email of your account at ${account}, then sign in again.`,
    },
    suspended: {
      title: 'Your workspace isn’t available here',
      text: 'It’s suspended or has moved to another address. Contact your administrator.',
    },
    provider_unreachable: {
      title: `${account} isn’t responding`,
      text: 'Try again in a minute. If the problem persists, contact your administrator.',
    },
    provider_refused: {
      title: `${account} did not sign you in`,
      text: 'Try again. If the problem persists, ask the administrator of your account whether you can use Sendroom.',
    },
    expired: {
      title: 'This sign-in took too long, or started in another browser',
      text: 'Sign in again.',
    },
    clock: {
      title: 'Two clocks differ by more than a minute',
      text: `The server’s clock and ${account}’s differ too much to sign in. Contact your administrator.`,
    },
    other: {
      title: 'Could not sign you in',
      text: 'Try again. If the problem persists, contact your administrator; the reason is in the server log.',
    },
  };
  return Object.hasOwn(texts, code) ? texts[code as Refusal] : texts.other;
}
