import { createHash } from 'node:crypto';

/**
 * What a page in one file may do (Content-Security-Policy): run its own script and style, ask this
 * service, and nothing else; it is never framed.
 * @param forms where its forms may lead
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
