import type { Framework } from '../routes/route.ts';

/** Versions of the x402 packages that were installed, checked and used for payments together. */
export interface PackageSet {
  readonly core: string;
  readonly extensions: string;
  readonly stellar: string;
  /** The adapters with which this set was tested (`test/codegen/running/pinnedSets.ts`). */
  readonly express?: string;
  readonly next?: string;
  /** Released with the others; if it is not served, Fastify was not tested. */
  readonly fastify?: string;
  readonly hono?: string;
}

/**
 * Known-good sets, newest first. `@x402/core` from 2.22 on does not start with `@x402/stellar` 2.9.0, so versions are not
 * mixed, and exact versions are installed.
 */
export const PACKAGE_SETS: readonly PackageSet[] = [
  {
    core: '2.21.0',
    extensions: '2.21.0',
    stellar: '2.9.0',
    express: '2.21.0',
    next: '2.21.0',
    fastify: '2.21.0',
  },
  // Its patterns miss line breaks in a path, which only the code written for Hono does not depend on. The others need 2.20.
  { core: '2.19.0', extensions: '2.19.0', stellar: '2.9.0', hono: '2.19.0' },
];

/** The newest set that includes a framework's adapter. */
export function newestSet(framework: Framework): PackageSet {
  const [set] = setsFor(framework, PACKAGE_SETS);
  if (!set) throw new RangeError(`no set of packages has an adapter of ${framework}`);
  return set;
}

function setsFor(framework: Framework, sets: readonly PackageSet[]): readonly PackageSet[] {
  return sets.filter((set) => set[adapterOf(framework)] !== undefined);
}

function adapterOf(framework: Framework): 'express' | 'fastify' | 'hono' | 'next' {
  if (framework === 'next-app') return 'next';
  return framework === 'fastify' || framework === 'hono' ? framework : 'express';
}

/** Versions that an install falls back to if a package source lacks those that newer ones require. */
export const OVERRIDES: Readonly<Record<string, string>> = { viem: '2.48.11' };

/** The packages that a route of a framework needs (spec: Packages per framework). */
export function neededPackages(
  framework: Framework,
  set: PackageSet,
): readonly { readonly name: string; readonly version: string }[] {
  return (['core', 'stellar', 'extensions', adapterOf(framework)] as const).flatMap((part) => {
    const version = set[part];
    return version === undefined ? [] : [{ name: `@x402/${part}`, version }];
  });
}

export interface ChosenSet {
  readonly set: PackageSet;
  /** Packages of the set that the package source does not serve; empty if it serves all of them. */
  readonly missing: readonly { readonly name: string; readonly version: string }[];
}

/**
 * The newest set that a package source serves completely, or else the one with the fewest gaps.
 * @param serves asks the package source of the user's project
 */
export async function chooseSet(
  framework: Framework,
  serves: (name: string, version: string) => Promise<boolean>,
  sets: readonly PackageSet[] = PACKAGE_SETS,
): Promise<ChosenSet> {
  let best: ChosenSet | undefined;
  for (const set of setsFor(framework, sets)) {
    const packages = neededPackages(framework, set);
    const served = await Promise.all(packages.map(({ name, version }) => serves(name, version)));
    const missing = packages.filter((_, index) => !served[index]);
    if (missing.length === 0) return { set, missing };
    if (!best || missing.length < best.missing.length) best = { set, missing };
  }
  if (!best) throw new RangeError('no set of packages is known');
  return best;
}
