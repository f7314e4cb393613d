import { readFileSync } from 'node:fs';

/** Returns the version of the package that contains this file, as a bundle or as source. */
export function packageVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8');
      const { name, version } = JSON.parse(text) as { name?: string; version?: string };
      if (name === 'svc-x402' && version !== undefined) return version;
    } catch {
      // A bundle that was copied elsewhere works too.
    }
  }
  return '0.0.0';
}
