/** The URL of a Next.js file, or why it has none. */
export type NextPath =
  | { readonly kind: 'app'; readonly path: string; readonly params: readonly string[] }
  | { readonly kind: 'pages'; readonly path: string };

/**
 * The path at which Next.js serves a file, derived from its location: `app/**\/route.ts` of the App Router, `pages/api/**` of
 * the Pages Router. Groups and slots do not appear in the path; private folders are not served.
 */
export function nextPath(file: string): NextPath | undefined {
  const slashed = file.replaceAll('\\', '/');
  const segments = slashed.split('/');
  const base = slashed.slice(slashed.lastIndexOf('/') + 1);
  if (/^route\.[cm]?[jt]sx?$/.test(base)) {
    const app = rootIndex(segments, 'app');
    if (app < 0) return undefined;
    const folders = segments.slice(app + 1, -1);
    if (folders.some((folder) => folder.startsWith('_'))) return undefined;
    const visible = folders.filter((folder) => !folder.startsWith('@') && !/^\(.*\)$/.test(folder));
    const params = visible.flatMap(
      (folder) => /^\[{1,2}(?:\.\.\.)?([^\]]+)\]{1,2}$/.exec(folder)?.[1] ?? [],
    );
    return { kind: 'app', path: `/${visible.map(decoded).join('/')}`, params };
  }
  const pages = rootIndex(segments, 'pages');
  if (pages < 0 || segments[pages + 1] !== 'api' || !/\.[jt]sx?$/.test(base)) return undefined;
  const name = base.replace(/\.[jt]sx?$/, '');
  const folders = segments.slice(pages + 1, -1);
  return { kind: 'pages', path: `/${[...folders, ...(name === 'index' ? [] : [name])].join('/')}` };
}

/** The root folder of routes: the first with that name, in the root or in `src` of an app. */
function rootIndex(segments: readonly string[], name: string): number {
  const afterSource = segments.findIndex(
    (segment, index) => segment === name && segments[index - 1] === 'src',
  );
  return afterSource >= 0 ? afterSource : segments.indexOf(name);
}

/** `%5Ffolder` stands for a folder whose name begins with an underscore. */
function decoded(segment: string): string {
  return segment.startsWith('%5F') ? `_${segment.slice(3)}` : segment;
}
