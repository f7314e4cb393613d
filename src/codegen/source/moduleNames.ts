/**
 * The npm name of a module that is imported in a form of Deno: `npm:hono@4`, `jsr:@hono/hono@^4`, `https://esm.sh/hono@4`,
 * `https://deno.land/x/hono@v4/mod.ts`. Other specifiers stay unchanged.
 */
export function packageName(specifier: string): string {
  const named = /^(?:npm|jsr):\/?(@[^/@]+\/[^/@]+|[^/@]+)(?:@[^/]+)?(\/.*)?$/.exec(specifier);
  const cdn =
    /^https:\/\/(?:esm\.sh|cdn\.skypack\.dev|deno\.land\/x|jsr\.io|cdn\.jsdelivr\.net\/npm|unpkg\.com)\/(?:v\d+\/)?(?:npm:|\*)?(@[^/@]+\/[^/@]+|[^/@?]+)(?:@[^/?]+)?(\/[^?]*)?/.exec(
      specifier,
    );
  const [, name, rest = ''] = named ?? cdn ?? [];
  if (name === undefined) return specifier;
  // A file of a package on a CDN is not an entry that npm has: `mod.ts`.
  const entry = cdn ? '' : rest;
  return `${SAME[name] ?? name}${entry}`;
}

/** Packages that have another name on JSR. */
const SAME: Readonly<Record<string, string>> = { '@hono/hono': 'hono', '@oak/oak': 'oak' };
