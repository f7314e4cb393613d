import { readFileSync } from 'node:fs';

/** Version of the package that this file, a bundle or a source, belongs to. */
export function packageVersion(): string {
  for (const path of ['../package.json', '../../package.json']) {
    try {
      const text = readFileSync(new URL(path, import.meta.url), 'utf8');
      const { name, version } = JSON.parse(text) as { name?: string; version?: string };
      if (name === 'svc-x402' && version !== undefined) return version;
    } catch {
      // A bundle that was copied somewhere runs as well.
    }
  }
  return '0.0.0';
}
