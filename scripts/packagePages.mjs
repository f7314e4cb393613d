// The pages of a package: links to files that it does not have keep only their words.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { root } from './prepare.mjs';

/** A Markdown picture or link whose target is a file. */
const TARGET = /(!?)\[((?:[^[\]]|\[[^\]]*\])*)\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g;

/**
 * Keeps the links of a page that lead to files of the package. Other links keep their words; such pictures are left out.
 * @param {string} text
 * @param {string} path of the page in the package
 * @param {(path: string) => boolean} has whether the package has a file
 */
export function packagedPage(text, path, has) {
  return text.replaceAll(TARGET, (whole, picture, words, target) => {
    if (has(posix.normalize(posix.join(posix.dirname(path), target)))) return whole;
    return picture ? '' : words;
  });
}

/**
 * The pages and the operator's files that the npm package has: guides, references and the pages of codes, without evidence,
 * decisions and pictures.
 * @returns {string[]}
 */
function shippedPaths() {
  const below = (folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`);
  const pages = ['docs', 'docs/errors', 'docs/quickstarts'].flatMap(below);
  return [
    ...['README.md', 'CHANGELOG.md'],
    ...pages.filter((path) => path.endsWith('.md')),
    ...below('deploy'),
  ].sort();
}

/**
 * Copies them into a package that is being packed.
 * @param {string} stage its folder
 */
export function copyPages(stage) {
  const paths = shippedPaths();
  const has = (path) => paths.includes(path) || existsSync(join(stage, path));
  for (const path of paths) {
    mkdirSync(dirname(join(stage, path)), { recursive: true });
    if (path.endsWith('.md')) {
      const text = readFileSync(join(root, path), 'utf8');
      writeFileSync(join(stage, path), packagedPage(text, path, has));
    } else cpSync(join(root, path), join(stage, path));
  }
}
