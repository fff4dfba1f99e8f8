/** What each may do is in roles.ts. Other services have no roles. */
export const ROLES = ['read', 'support', 'editor', 'ingest', 'admin'] as const;
export type Role = (typeof ROLES)[number];

export const isRole = (text: string): text is Role => (ROLES as readonly string[]).includes(text);
