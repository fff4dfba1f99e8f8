import { isStorable } from '#contract/values/field.ts';
import { Email, PERSON_ROLES } from '#contract/members.ts';
import type { Account } from '../members/admit.ts';
import type { GroupRole } from '../settings/settings.ts';

export type Claims = Readonly<Record<string, unknown>>;

/** The claim `name`, which may contain dots or be a URL; otherwise it's a path through nested claims. */
export function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name.split('.').reduce<unknown>((value, part) => {
    const isObject = typeof value === 'object' && value !== null && Object.hasOwn(value, part);
    return isObject ? (value as Claims)[part] : undefined;
  }, claims);
}

function groupsIn(claim: unknown): string[] {
  return [claim].flat().filter((group) => typeof group === 'string');
}

/** Whether an address is verified is said by a document that has this very address. */
export function joinClaims(inToken: Claims, inUserInfo: Claims): Claims {
  const email = inToken['email'] ?? inUserInfo['email'];
  const isAbout = (claims: Claims) => claims['email'] === email && claims['email_verified'] !== undefined;
  const email_verified = [inToken, inUserInfo].find(isAbout)?.['email_verified'];
  return { ...inUserInfo, ...inToken, email, email_verified };
}

type Rules = { roleClaim: string; roles: readonly GroupRole[] };

export function accountOf(
  claims: Claims,
  { issuer, subject }: Pick<Account, 'issuer' | 'subject'>,
  { roleClaim, roles }: Rules,
): Account {
  const groups = new Set(groupsIn(findClaim(claims, roleClaim)));
  const given = roles.filter(({ group }) => groups.has(group));
  const claimedEmail = Email.safeParse(claims['email']).data ?? '';
  // Some providers send it as text.
  const isVerified = ['true', true].includes(claims['email_verified'] as string);
  const email = isVerified ? claimedEmail : '';
  return {
    issuer,
    subject,
    email,
    claimedEmail,
    name: textIn(claims, 'name') ?? textIn(claims, 'preferred_username') ?? (email === '' ? subject : null),
    roleIn(workspaceUuid) {
      const own = given.filter(({ workspace }) => workspace === null || workspace === workspaceUuid);
      return PERSON_ROLES.findLast((role) => own.some((one) => one.role === role)) ?? null;
    },
  };
}

/** The limit of OpenID Connect. */
const SUBJECT_MAX = 255;

/** A subject is never cut or changed, so that it identifies one account. */
export const isSubject = (subject: string): boolean =>
  subject !== '' && subject.length <= SUBJECT_MAX && isStorable(subject);

const TEXT_MAX = 254;

function textIn(claims: Claims, name: string): string | null {
  const value = claims[name];
  if (typeof value !== 'string') return null;
  const text = value.replaceAll(/\p{Cc}/gu, ' ').trim();
  // After the cut, which may be within a character.
  return text === '' ? null : text.slice(0, TEXT_MAX).toWellFormed();
}
