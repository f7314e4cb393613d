import type { ProjectFiles } from './project.ts';

/** Names by which projects call the account that is paid. */
const NAMES =
  /^(?:X402_)?(?:(?:PAY_?TO|PAYEE|RECIPIENT|RECEIVER)(?:_(?:ADDRESS|ACCOUNT|WALLET|PUBLIC_KEY))?|(?:SELLER|PAYMENT|STELLAR)_(?:ADDRESS|ACCOUNT|WALLET|PUBLIC_KEY))$/;

/** Files that list a project's variables for others. The files with the values may hold secrets and are not read. */
const LISTS = ['.env.example', '.env.sample', '.env.template', '.env.dist', 'example.env'];

/**
 * Finds the variable of the environment from which a project reads the account that is paid: in the file itself, or in the
 * project's list of variables.
 * @returns its name; `undefined` if there is none
 */
export async function payToVariable(
  text: string,
  folder: string,
  files: ProjectFiles,
): Promise<string | undefined> {
  const used = /\bprocess\.env(?:\.([A-Z0-9_]+)\b|\[\s*['"]([A-Z0-9_]+)['"]\s*\])/g;
  const own = [...text.matchAll(used)].map(([, plain, quoted = '']) => plain ?? quoted);
  const found = own.find((name) => NAMES.test(name));
  if (found !== undefined) return found;
  for (const list of LISTS) {
    const lines = (await files.read(`${folder}/${list}`)) ?? '';
    const named = [...lines.matchAll(/^[ \t]*(?:export[ \t]+)?([A-Z0-9_]+)[ \t]*=/gm)];
    const listed = named.map(([, name = '']) => name).find((name) => NAMES.test(name));
    if (listed !== undefined) return listed;
  }
  return undefined;
}
