import * as z from 'zod/mini';
import { dataOf, type Operation } from '#contract/openapi/endpoint.ts';
import { checkedText, isStorable, Timestamp, toReadableSchema, Uuid } from '#contract/values/field.ts';
import { CONTROL_CHARACTERS } from '#contract/values/invisibleCharacters.ts';
import { pageOf } from './list.ts';
import { ROLES } from './role.ts';

// Members, tokens and sessions. In a file of their own, so that only their pages load it.

export const EMAIL_MAX = 254;
export const TOKEN_NAME_MAX = 100;

/** An admin invited them, or a group of the organisation's account has a role. */
export const MEMBER_SOURCES = ['invited', 'group'] as const;
export type MemberSource = (typeof MEMBER_SOURCES)[number];

/** Without `ingest`, which reads nothing. */
export const PERSON_ROLES = ['read', 'support', 'editor', 'admin'] as const satisfies readonly (typeof ROLES)[number][];
export type PersonRole = (typeof PERSON_ROLES)[number];

export const Member = z.strictObject({
  uuid: Uuid,
  email: z.string(),
  /** From the organisation's account; null before the first sign-in. */
  name: z.nullable(z.string()),
  role: z.enum(PERSON_ROLES),
  source: z.enum(MEMBER_SOURCES),
  created_at: Timestamp,
  /** To the minute; null before the first sign-in. */
  last_seen_at: z.nullable(Timestamp),
});
export type Member = z.infer<typeof Member>;
const ReadableMember = toReadableSchema(z.strictObject({ ...Member.shape, role: z.string(), source: z.string() }), [
  'uuid',
]);
export type ReadableMember = z.infer<typeof ReadableMember>;

export const listMembers = {
  id: 'listMembers',
  method: 'GET',
  path: '/v1/members',
  list: { search: true, sortable: ['email', 'role', 'created_at', 'last_seen_at'] },
  ...pageOf(Member, ReadableMember),
} as const satisfies Operation;

const member = { result: z.strictObject({ data: Member }), reading: z.object({ data: ReadableMember }) };

/** In any letter case. */
export const Email = checkedText(z.trim(), z.maxLength(EMAIL_MAX), z.refine(isStorable), z.regex(/^[^\s@]+@[^\s@]+$/));

/** The person must sign in with this verified email. 409 if they are a member. */
export const inviteMember = {
  id: 'inviteMember',
  method: 'POST',
  path: '/v1/members',
  body: z.strictObject({ email: Email, role: z.enum(PERSON_ROLES) }),
  ...member,
} as const satisfies Operation;

/** 409 for the last admin, and for a member by a group, which sets the role. */
export const updateMember = {
  id: 'updateMember',
  method: 'POST',
  path: '/v1/members/{member}',
  body: z.strictObject({ role: z.enum(PERSON_ROLES) }),
  ...member,
} as const satisfies Operation;

export const Token = z.strictObject({
  uuid: Uuid,
  name: z.string(),
  role: z.enum(ROLES),
  created_at: Timestamp,
  expires_at: z.nullable(Timestamp),
  /** The start of the UTC day. */
  last_used_on: z.nullable(Timestamp),
  revoked_at: z.nullable(Timestamp),
});
export type Token = z.infer<typeof Token>;
const ReadableToken = toReadableSchema(z.strictObject({ ...Token.shape, role: z.string() }), ['uuid']);
export type ReadableToken = z.infer<typeof ReadableToken>;

/** 409 for the last admin. Returns the active tokens that the person created, or that were created with one of these. */
export const removeMember = {
  id: 'removeMember',
  method: 'DELETE',
  path: '/v1/members/{member}',
  result: z.strictObject({ data: z.strictObject({ tokens: z.array(Token) }) }),
  reading: z.optional(z.object({ data: z.object({ tokens: z.array(ReadableToken) }) })),
} as const satisfies Operation;

/** Active tokens first, newest first. */
export const listTokens = {
  id: 'listTokens',
  method: 'GET',
  path: '/v1/tokens',
  list: { search: true, sortable: [] },
  ...pageOf(Token, ReadableToken),
} as const satisfies Operation;

export const createToken = {
  id: 'createToken',
  method: 'POST',
  path: '/v1/tokens',
  body: z.strictObject({
    name: checkedText(
      z.trim(),
      z.minLength(1),
      z.maxLength(TOKEN_NAME_MAX),
      z.refine((name) => !CONTROL_CHARACTERS.test(name), {
        params: { sentence: 'contains invisible characters.' },
      }),
    ),
    role: z.enum(ROLES),
    /** Default: never. */
    expires_at: z.optional(z.nullable(Timestamp)),
  }),
  ...dataOf(z.strictObject({ ...Token.shape, secret: z.string() }), z.object({ uuid: z.string(), secret: z.string() })),
} as const satisfies Operation;

export const revokeToken = {
  id: 'revokeToken',
  method: 'DELETE',
  path: '/v1/tokens/{token}',
  result: z.undefined(),
  reading: z.unknown(),
} as const satisfies Operation;

/** A session of a person or a token. */
export const SignedIn = z.strictObject({
  uuid: Uuid,
  /** Whether this request belongs to it. */
  current: z.boolean(),
  person: z.nullable(z.strictObject({ uuid: Uuid, name: z.nullable(z.string()), email: z.string() })),
  /** The token's name. */
  token: z.nullable(z.string()),
  created_at: Timestamp,
  seen_at: Timestamp,
  expires_at: Timestamp,
});
export type SignedIn = z.infer<typeof SignedIn>;
const ReadableSignedIn = toReadableSchema(SignedIn, ['uuid']);
export type ReadableSignedIn = z.infer<typeof ReadableSignedIn>;

/** Your own sessions; all of the workspace for an admin. */
export const listSessions = {
  id: 'listSessions',
  method: 'GET',
  path: '/v1/sessions',
  list: { sortable: [] },
  ...pageOf(SignedIn, ReadableSignedIn),
} as const satisfies Operation;

export const endSession = {
  id: 'endSession',
  method: 'DELETE',
  path: '/v1/sessions/{session}',
  result: z.undefined(),
  reading: z.unknown(),
} as const satisfies Operation;
