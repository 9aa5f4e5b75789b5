/** Only what is the host of an origin and nothing else becomes part of the policy. */
const plainOrigin = /^https?:\/\/[a-z0-9.-]+(?::\d+)?$/;

interface Permissions {
  /** Style elements that carry it count; no others do. */
  readonly nonce?: string;
  /** URLs whose origins the page may call besides its own. */
  readonly callable?: readonly string[] | undefined;
}

/** The headers that keep a page of this server to its own files: no inline script, nothing from elsewhere, in no frame. */
export function pageSecurity(permissions: Permissions = {}): Record<string, string> {
  return {
    'Content-Security-Policy': contentSecurityPolicy(permissions),
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
  };
}

function contentSecurityPolicy({ nonce, callable: addresses = [] }: Permissions): string {
  const origins = addresses.flatMap((address) => (URL.canParse(address) ? [new URL(address).origin] : []));
  const callable = new Set(["'self'", ...origins.filter((origin) => plainOrigin.test(origin))]);
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === undefined ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src ${[...callable].join(' ')}`,
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');
}
