/** Resolves a specifier such as `../x` from a folder with `/`. */
export function relativePath(folder: string, specifier: string): string {
  const parts = folder.split('/');
  for (const part of specifier.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return parts.join('/');
}
