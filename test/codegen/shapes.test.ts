import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { routesUnder } from '../../src/cli/code/routeFile.ts';
import { diskFiles } from '../../src/cli/code/userProject.ts';
import * as code from '../../src/codegen/index.ts';
import { type JudgedFile, judgeFile } from './corpusRun/judgeFile.ts';

const folder = fileURLToPath(new URL('./shapes/', import.meta.url));

/** Reads a project as the command line reads one, with each endpoint as `file:line framework METHOD path`. */
async function judged(project: string) {
  const rows: string[] = [];
  const files: JudgedFile[] = [];
  for await (const read of routesUnder(join(folder, project), {}, code)) {
    const facts = await code.writingFacts(read.file, read.project, diskFiles);
    const file = judgeFile(read.path, read.source, facts, Number.POSITIVE_INFINITY);
    files.push(file);
    for (const { route, line, refusal } of file.routes) {
      const { framework, method, path } = route;
      const name = relative(join(folder, project), read.path).replaceAll('\\', '/');
      rows.push(
        `${name}:${line} ${framework} ${method} ${path}${refusal ? ` (${refusal.code})` : ''}`,
      );
    }
  }
  return { rows, files };
}

const projects = readdirSync(folder).filter((name) => existsSync(join(folder, name, 'routes.txt')));

describe('projects in the forms that people save them', () => {
  let count = 0;
  for (const project of projects) {
    it(`${project}: its endpoints are found and no others, each is sold, parsed and removed byte for byte`, async () => {
      const { rows, files } = await judged(project);
      count += files.length;
      const expected = readFileSync(join(folder, project, 'routes.txt'), 'utf8');
      assert.equal(`${rows.join('\n')}\n`, expected);
      for (const { path, routes } of files) {
        for (const { route, refusal, parsed, removed } of routes) {
          const at = `${path} ${route.method} ${route.path}`;
          if (refusal === undefined)
            assert.deepEqual({ parsed, removed }, { parsed: true, removed: true }, at);
        }
      }
    });
  }

  it('60 files and more, with Windows line ends, tabs and a byte order mark', () => {
    assert.ok(count >= 60, `${count} files`);
    assert.match(readFileSync(join(folder, 'express-crlf/server.js'), 'utf8'), /\r\n/);
    assert.match(readFileSync(join(folder, 'express-crlf/routes/mark.js'), 'utf8'), /^\ufeff/);
    assert.match(readFileSync(join(folder, 'express-tabs/index.js'), 'utf8'), /\n\t/);
  });
});
