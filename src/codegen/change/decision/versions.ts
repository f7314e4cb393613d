import { type Refusal, type Route, refuse, SELL_BY_PROXY } from '../../routes/route.ts';
import type { FrameworkVersions } from '../change.ts';

/** The first version that the adapter of the App Router supports (spec: Limits/Editor requirements). */
const FIRST = [16, 2, 6] as const;

/** Refuses a version or range of Next.js that begins below the first one that the adapter supports. */
export function oldNextVersion(version: string | undefined): Refusal | undefined {
  const match = version?.match(/(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?/);
  // `latest`, `canary` and unknown versions are newer than the adapter's first.
  if (!match) return undefined;
  const parts = match.slice(1).map(number);
  for (const [index, least] of FIRST.entries()) {
    const part = parts[index] ?? Number.POSITIVE_INFINITY;
    if (part > least) return undefined;
    if (part < least) {
      return refuse(
        'next_version',
        `The payment adapter needs Next.js ${FIRST.join('.')} or later; this app has ${version}. ${SELL_BY_PROXY}`,
      );
    }
  }
  return undefined;
}

/** The first major versions that the adapters require (their `peerDependencies`). */
const FIRST_MAJOR = { express: 4, fastify: 5, hono: 4 } as const;

/** Refuses a version or range of a framework that its payment adapter does not support. */
export function oldFramework(
  framework: keyof typeof FIRST_MAJOR | 'next',
  version: string | undefined,
): Refusal | undefined {
  if (framework === 'next') return oldNextVersion(version);
  const major = version?.match(/\d+/)?.[0];
  const least = FIRST_MAJOR[framework];
  if (major === undefined || Number(major) >= least) return undefined;
  const name = { express: 'Express', fastify: 'Fastify', hono: 'Hono' }[framework];
  return refuse(
    'framework_version',
    `@x402/${framework} needs ${name} ${least} or later, and this project has ${version}. Upgrade ${name} first. ${SELL_BY_PROXY}`,
  );
}

/** Refuses a route if its framework is too old, as `addPayment` does. Checks nothing else. */
export function versionRefusal(
  { framework }: Pick<Route, 'framework'>,
  versions: FrameworkVersions,
): Refusal | undefined {
  switch (framework) {
    case 'express':
    case 'fastify':
    case 'hono':
      return oldFramework(framework, versions[framework]);
    case 'next-app':
      return oldFramework('next', versions.next);
    default:
      return undefined;
  }
}

/** `^16` and `16.x` can mean a newer version; only an exact version names what is installed. */
function number(part: string | undefined): number {
  const value = Number(part);
  return Number.isNaN(value) ? Number.POSITIVE_INFINITY : value;
}
