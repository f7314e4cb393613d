// The page that marketplaces and editors show of the extension, from src/extension/README.md.

import { posix } from 'node:path';

const FOLDER = 'src/extension';
/** A picture or a link of Markdown whose target is a file of the repository. */
const TARGET = /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g;

/**
 * Makes each address absolute, from the one setting `repository` of package.json. Pages outside of the repository
 * resolve no relative address: until the setting is there, pictures are left out, and links keep their words only.
 * @param {string} text
 * @param {string | undefined} repository such as https://github.com/owner/name
 */
export function extensionReadme(text, repository) {
  const base = repository?.replace(/^git\+/, '').replace(/(\.git)?\/*$/, '');
  const made = text.replaceAll(TARGET, (_, picture, words, target) => {
    if (base === undefined) return picture ? '' : words;
    const path = posix.join(FOLDER, target);
    return `${picture}[${words}](${base}/${picture ? 'raw' : 'blob'}/HEAD/${path})`;
  });
  return made.replaceAll(/\n{3,}/g, '\n\n');
}
