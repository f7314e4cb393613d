import { ts } from 'ts-morph';
import type { Project, ProjectFiles } from './project.ts';

/** The runtime of a project, if code for Node.js needs another form there. */
interface Runtime {
  /** `workers`: Cloudflare Workers. */
  readonly name: 'workers' | undefined;
  /** Why the payment packages would not start there, and what to change. */
  readonly problem: string | undefined;
}

const CONFIGS = ['wrangler.jsonc', 'wrangler.json', 'wrangler.toml'] as const;
const PACKAGES = ['wrangler', '@cloudflare/workers-types', '@cloudflare/vite-plugin'];

/**
 * Finds out whether a project runs on Cloudflare Workers: by its `wrangler` settings, or else by its packages. The payment
 * packages import modules of Node.js, which Workers have only with the flag `nodejs_compat`.
 */
export async function runtimeOf(project: Project, files: ProjectFiles): Promise<Runtime> {
  const { folder, manifest } = project;
  for (const name of CONFIGS) {
    const text = await files.read(`${folder}/${name}`);
    if (text === undefined) continue;
    const line = name.endsWith('.toml')
      ? 'compatibility_flags = ["nodejs_compat"]'
      : '"compatibility_flags": ["nodejs_compat"]';
    return {
      name: 'workers',
      problem: flagsOf(name, text).some((each) => /^nodejs_compat(_v2)?$/.test(each))
        ? undefined
        : `The payment packages import modules of Node.js, which Workers have only with a flag. Write ${line} in ${name} first.`,
    };
  }
  const asked = { ...manifest.dependencies, ...manifest.devDependencies };
  const isWorker = PACKAGES.some((name) => name in asked);
  return { name: isWorker ? 'workers' : undefined, problem: undefined };
}

/** The flags of any environment: which one is deployed is not known here. */
function flagsOf(name: string, text: string): readonly string[] {
  if (name.endsWith('.toml')) {
    return [...text.matchAll(/^\s*compatibility_flags\s*=\s*\[([^\]]{0,999})\]/gm)].flatMap(
      ([, list = '']) => [...list.matchAll(/["']([\w-]+)["']/g)].map(([, flag = '']) => flag),
    );
  }
  const { config } = ts.parseConfigFileTextToJson(name, text) as { config?: unknown };
  const flags = (config as { compatibility_flags?: unknown } | undefined)?.compatibility_flags;
  return Array.isArray(flags) ? flags.filter((flag) => typeof flag === 'string') : [];
}
