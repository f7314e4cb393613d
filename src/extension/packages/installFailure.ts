import { withoutMarkup } from '../http/index.ts';
import { t } from '../words/index.ts';

/** Why an install failed, as far as its output shows, and how to fix it. */
export interface InstallFailure {
  readonly sentence: string;
  /** A missing version can be replaced by overrides in package.json. */
  readonly overridesHelp: boolean;
}

// npm, pnpm and yarn each have a different message for a missing version.
const NO_VERSION =
  /No matching version found for (@?[^@\s]{1,214})@|Couldn't find any versions for "(@?[^"@\s]{1,214})"/;
const NPM_CODE = /^npm (?:ERR!|error) code (\w+)/m;
const NPM_LINE = /^npm (?:ERR!|error) (?!code |A complete log|\s*$)(.{4,200})$/m;
const PLAIN_LINE = /^[ \t]*(?:ERR_\w+|error|ERROR|Error)\b[:\s].{0,200}$/m;
/** An escape sequence for a colour or a cursor movement. */
const ESCAPE = new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, 'g');

/**
 * Reads the output of a failed package manager.
 * @param replaceable packages whose version overrides can replace
 */
export function explainInstall(output: string, replaceable: readonly string[]): InstallFailure {
  const text = withoutHtml(output.replace(ESCAPE, ''));
  const lacking = NO_VERSION.exec(text)
    ?.slice(1)
    .find((name) => name !== undefined);
  if (lacking !== undefined) {
    return {
      sentence: t("The package source doesn't have the required version of {0}.", lacking),
      overridesHelp: replaceable.includes(lacking),
    };
  }
  const code = NPM_CODE.exec(text)?.[1];
  const line = (NPM_LINE.exec(text)?.[1] ?? PLAIN_LINE.exec(text)?.[0])?.trim();
  const said = line === undefined ? t('See its output in the terminal.') : line;
  return {
    sentence: code === undefined ? said : `${code}: ${said}`,
    overridesHelp: false,
  };
}

/** Text without the tags of a page that a registry or a proxy answered with. */
function withoutHtml(text: string): string {
  return withoutMarkup(text).replace(/ {2,}/g, ' ');
}
