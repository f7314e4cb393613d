import { createHash } from 'node:crypto';

/**
 * Returns the Content-Security-Policy of a page in one file: it may run its own script and style and
 * request this service, nothing else, and it is never framed.
 * @param forms allowed targets of its forms
 */
export function pagePolicy(script: string, style: string, forms: "'self'" | "'none'"): string {
  return [
    "default-src 'none'",
    `script-src '${digest(script)}'`,
    `style-src '${digest(style)}'`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    `form-action ${forms}`,
    "frame-ancestors 'none'",
  ].join('; ');
}

function digest(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`;
}
