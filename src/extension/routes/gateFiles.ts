import { GATE_MARK } from './gateText.ts';

/** Access to the files of a workspace, provided by the caller. */
export interface WorkspaceFiles {
  /** Returns at most `most` files that match a glob pattern, without those of installed packages. */
  find(pattern: string, most: number): Promise<readonly string[]>;
  /** `undefined` if the file does not exist or is too large. */
  read(file: string): Promise<string | undefined>;
}

const MAX_MANIFESTS = 50;
const MAX_SOURCES = 400;
const SELLING = /"@x402\/(?:express|fastify|hono|next)"\s*:/;
const SOURCES = '{,**/}*.{js,jsx,ts,tsx,mjs,cjs,mts,cts}';

/**
 * Finds the files of a workspace with a gate that Svc wrote. Files known from before are checked first; otherwise, only
 * projects that depend on an x402 server package are searched, up to a limit.
 * @param known files that contained a gate when this workspace was last open
 */
export async function findGateFiles(
  files: WorkspaceFiles,
  known: readonly string[],
): Promise<readonly string[]> {
  const still = await withGates(files, known);
  if (still.length > 0) return still;
  const manifests = await files.find('{,**/}package.json', MAX_MANIFESTS);
  for (const manifest of manifests) {
    const text = await files.read(manifest);
    if (text === undefined || !SELLING.test(text)) continue;
    const found = await withGates(files, await files.find(SOURCES, MAX_SOURCES));
    if (found.length > 0) return found;
    return [];
  }
  return [];
}

async function withGates(
  files: WorkspaceFiles,
  candidates: readonly string[],
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const file of candidates) {
    if ((await files.read(file))?.includes(GATE_MARK)) found.push(file);
  }
  return found;
}
