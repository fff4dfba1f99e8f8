/** Of a credential of this service; roles.ts says what each may do. The interface knows no roles: on another service there are none. */
export const ROLES = ['read', 'support', 'editor', 'ingest', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);
