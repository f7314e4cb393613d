import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './projectFile.ts';
import { filesBelow } from './sourceFiles.ts';

/** Every page that people read, by its path from the root. */
export function proseFiles(): string[] {
  const others = [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'CODE_OF_CONDUCT.md',
    'llms.txt',
    'src/sdk/README.md',
    'contracts/README.md',
    'common/README.md',
    'network/README.md',
    'network/host/README.md',
    'examples/agent/README.md',
    'examples/paid-api/README.md',
    'examples/python-api/README.md',
  ];
  return [
    ...others.filter((path) => existsSync(join(projectRoot, path))),
    ...filesBelow('docs', /\.md$/),
  ];
}
