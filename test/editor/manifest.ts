import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The manifest as an English editor shows it: `%key%` stands for a text of `package.nls.json`. */
export function readManifest(): unknown {
  const read = (name: string) => readFileSync(join(root, name), 'utf8');
  const texts = JSON.parse(read('package.nls.json')) as Readonly<Record<string, string>>;
  return JSON.parse(read('package.json'), (_key, value: unknown) => {
    const key = typeof value === 'string' ? /^%([\w.-]+)%$/.exec(value)?.[1] : undefined;
    return key === undefined ? value : texts[key];
  });
}
