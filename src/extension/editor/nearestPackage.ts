import { Uri, workspace } from 'vscode';

/** What the nearest package.json says that matters for generated code. */
export interface NearestPackage {
  readonly folder: Uri | undefined;
  readonly packageName: string | undefined;
  readonly packageModules: 'esm' | 'commonjs' | undefined;
  readonly nextVersion: string | undefined;
}

/** Looks from a file's folder up to its workspace folder. */
export async function nearestPackage(file: Uri): Promise<NearestPackage> {
  const top = workspace.getWorkspaceFolder(file)?.uri.path ?? '/';
  let folder = Uri.joinPath(file, '..');
  for (;;) {
    const manifest = await readManifest(Uri.joinPath(folder, 'package.json'));
    if (manifest) return { folder, ...manifest };
    if (folder.path === top || folder.path.length <= 1) break;
    folder = Uri.joinPath(folder, '..');
  }
  return {
    folder: undefined,
    packageName: undefined,
    packageModules: undefined,
    nextVersion: undefined,
  };
}

async function readManifest(file: Uri): Promise<Omit<NearestPackage, 'folder'> | undefined> {
  try {
    const text = Buffer.from(await workspace.fs.readFile(file)).toString('utf8');
    const { name, type, dependencies, devDependencies } = JSON.parse(text) as {
      name?: unknown;
      type?: unknown;
      dependencies?: Readonly<Record<string, unknown>>;
      devDependencies?: Readonly<Record<string, unknown>>;
    };
    const next = dependencies?.['next'] ?? devDependencies?.['next'];
    return {
      packageName: typeof name === 'string' ? name : undefined,
      packageModules: type === 'module' ? 'esm' : 'commonjs',
      nextVersion: typeof next === 'string' ? next : undefined,
    };
  } catch {
    return undefined;
  }
}
