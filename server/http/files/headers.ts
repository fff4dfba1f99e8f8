import { hash } from 'node:crypto';

export function baseHeaders(isTls: boolean): Record<string, string> {
  return {
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-embedder-policy': 'require-corp',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), clipboard-read=(), geolocation=(), microphone=(), usb=()',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    ...(isTls && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

const UNFRAMED = "frame-ancestors 'none'";

/** Content security policy of the console's page as this service serves it. `scripts` are those that are in it (`listInlineScripts`). */
export function pagePolicy(nonce: string, scripts: readonly string[]): string {
  return `${formatSecurityPolicy(scripts, `'nonce-${nonce}'`, "'self'")}; ${UNFRAMED}`;
}

/** The policy of a page that `framers` may show in a frame. */
export const allowFramers = (policy: string, framers: readonly string[]): string =>
  framers.length === 0 ? policy : policy.replace(UNFRAMED, `frame-ancestors ${framers.join(' ')}`);

export function listInlineScripts(page: string): string[] {
  const scripts = page.matchAll(/<script(?: nonce="[^"]*")?>(.*?)<\/script>/gs);
  return Array.from(scripts, ([, text = '']) => `'sha256-${hash('sha256', text, 'base64')}'`);
}

/** Mantine writes its variables into style elements. The trusted-types policy is in index.html. */
export function formatSecurityPolicy(scripts: readonly string[], styles: string, connections: string): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    `style-src 'self' ${styles}`,
    `style-src-elem 'self' ${styles}`,
    "style-src-attr 'none'",
    "img-src 'self' data:",
    "font-src 'self'",
    `connect-src ${connections}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "object-src 'none'",
    "form-action 'none'",
    "frame-src 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
  ].join('; ');
}
