// The extension's page in marketplaces and editors, from src/extension/README.md.

import { posix } from 'node:path';

const FOLDER = 'src/extension';
/** A Markdown picture or link whose target is a file of the repository. */
const TARGET = /(!?)\[([^\]]*)\]\((?![a-z]+:|#)([^)\s]+)\)/g;

/**
 * Makes each URL absolute, based on `repository` in package.json. Pages outside the repository cannot resolve relative URLs, so
 * without that setting, pictures are omitted and links keep only their text.
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
