// Checks whether a folder's packages match its lock file. Runs on plain Node before the first install.

import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** npm's own record of the packages it installed. */
const NPM_NOTE = '.package-lock.json';
/** Record of the optional packages that npm skipped, with the lock file and the Node version it ran on. */
const OWN_NOTE = '.svc-x402-left-out.json';

/**
 * Compares the lock file with npm's record and with the files on disk. An optional package (for
 * another system or another Node) may be absent only if npm skipped it when it installed this exact
 * lock file. A new optional package in the lock file is installed like any other.
 */
export function isInstalled(folder) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(join(modules, NPM_NOTE))) return false;
  const present = readJson(join(modules, NPM_NOTE)).packages ?? {};
  const named = readJson(join(folder, 'package.json'));
  const wanted = lockedPackages(folder);
  const passedOver = leftOut(folder);
  return (
    Object.keys({ ...named.dependencies, ...named.devDependencies }).every(
      (name) => present[`node_modules/${name}`] !== undefined,
    ) &&
    wanted.every(([path, { version, integrity, link, optional }]) => {
      const found = present[path];
      if (found === undefined) return optional === true && passedOver.includes(path);
      return (
        found.version === version &&
        found.link === link &&
        (!found.integrity || !integrity || found.integrity === integrity) &&
        existsSync(join(folder, path, 'package.json'))
      );
    })
  );
}

/** Records, after an install, the optional packages that npm skipped. */
export function noteLeftOut(folder) {
  const modules = join(folder, 'node_modules');
  if (!existsSync(join(modules, NPM_NOTE))) return;
  const present = readJson(join(modules, NPM_NOTE)).packages ?? {};
  const paths = lockedPackages(folder)
    .filter(([path, { optional }]) => optional === true && present[path] === undefined)
    .map(([path]) => path);
  writeFileSync(join(modules, OWN_NOTE), JSON.stringify({ of: inputsOf(folder), paths }));
}

/** Returns the packages that npm skipped for this lock file and this Node; empty if there is no record. */
function leftOut(folder) {
  const note = join(folder, 'node_modules', OWN_NOTE);
  if (!existsSync(note)) return [];
  const { of, paths } = readJson(note);
  return of === inputsOf(folder) ? paths : [];
}

function inputsOf(folder) {
  const { platform, arch, versions } = process;
  return createHash('sha256')
    .update(`${platform} ${arch} ${versions.node}\n`)
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
}

/** Returns the entries of the lock file except that of the folder itself. */
function lockedPackages(folder) {
  const { packages } = readJson(join(folder, 'package-lock.json'));
  return Object.entries(packages).filter(([path]) => path !== '');
}

function readJson(path) {
  return JSON.parse(readFileSync(path, 'utf8'));
}
