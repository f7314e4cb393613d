// Writes what each case of the corpus becomes, for a person to review before it is committed.
// usage: node --import tsx test/codegen/writeGolden.ts

import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { corpus, goldenOf } from './corpus.ts';

let changed = 0;
for (const each of corpus()) {
  const { file, text } = goldenOf(each);
  const other = file.endsWith('.refused.txt')
    ? file.replace('.refused.txt', `.output${each.extension}`)
    : file.replace(`.output${each.extension}`, '.refused.txt');
  if (existsSync(other)) rmSync(other);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  writeFileSync(file, text);
  changed += 1;
  console.log(`written: ${each.name}`);
}
console.log(`${changed} changed`);
