/** Headers of every answer, errors included. `isTls`: people reach this service over https. */
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

/** Policy of the console's page as we serve it. */
export function pagePolicy(nonce: string): string {
  return `${formatSecurityPolicy(`'nonce-${nonce}'`, "'self'")}; frame-ancestors 'none'`;
}

/**
 * Policy of the console's page. Only its own files run; styles may also be elements, because Mantine writes its variables
 * into such elements: those that `styles` allows. The trusted-types policy is in public/color-scheme.js.
 */
export function formatSecurityPolicy(styles: string, connections: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
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
