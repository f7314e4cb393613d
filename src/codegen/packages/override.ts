import { OVERRIDES } from './packageSets.ts';
import type { Agent } from './project.ts';

/**
 * Returns a package.json with overrides that let the packages install if a package source lacks versions that newer ones
 * require. They are added to the project's root only after an install has failed.
 * @returns `undefined` if the text is not a package.json or already has the overrides
 */
export function withOverrides(manifest: string, agent: Agent): string | undefined {
  const text = manifest.replace(/^\uFEFF/, '');
  let value: Record<string, unknown>;
  try {
    value = JSON.parse(text) as Record<string, unknown>;
  } catch {
    return undefined;
  }
  const path = keyOf(agent);
  let at = value;
  for (const key of path) {
    const inner = at[key];
    const next =
      typeof inner === 'object' && inner !== null ? (inner as Record<string, unknown>) : {};
    at[key] = next;
    at = next;
  }
  if (Object.keys(OVERRIDES).every((name) => name in at)) return undefined;
  for (const [name, version] of Object.entries(OVERRIDES)) at[name] ??= version;
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
  const end = /\r?\n$/.exec(text)?.[0] ?? '';
  const written = JSON.stringify(value, undefined, indent) + end.replace('\r', '');
  const lines = text.includes('\r\n') ? written.replaceAll('\n', '\r\n') : written;
  return manifest.startsWith('\uFEFF') ? `\uFEFF${lines}` : lines;
}

function keyOf(agent: Agent): readonly string[] {
  if (agent === 'pnpm' || agent === 'pnpm@6') return ['pnpm', 'overrides'];
  return agent === 'yarn' || agent === 'yarn@berry' ? ['resolutions'] : ['overrides'];
}
