/** Where code puts routers: `use('/api', …)`, `route('/api', …)`, `basePath('/api')`, `prefix: '/api'`. */
const MOUNTS =
  /\b(?:use|route|basePath|mount)\s*\(\s*(['"`])(\/[\w\-./:]*)\1|\bprefix\s*:\s*(['"`])(\/[\w\-./:]*)\3/g;

const MOST = 200;

/**
 * Returns the possible prefixes of a route's path: none, each mount path, and any two of them together.
 */
export function possiblePrefixes(texts: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  for (const text of texts) {
    for (const [, , mounted, , prefix] of text.matchAll(MOUNTS)) {
      const path = (mounted ?? prefix ?? '').replace(/(?<!\/)\/+$/, '');
      if (path !== '' && found.size < MOST) found.add(path);
    }
  }
  const single = [...found];
  const pairs = single.flatMap((one) =>
    single.filter((two) => two !== one).map((two) => one + two),
  );
  return ['', ...single, ...pairs].slice(0, MOST);
}
