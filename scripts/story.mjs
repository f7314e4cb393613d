// `npm run story [-- --out FOLDER]`: installs the editor and whatever else is missing, packs the extension (or uses the one
// that VSIX names), and runs the story from source.

import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { agentExample, buildIfStale, install, paidApi, root, run } from './prepare.mjs';
import { runSource } from './runSource.mjs';
import { waiting } from './waiting.mjs';

const editor = join(root, 'build', 'editors', 'newest');
const given = process.env.VSIX;
const vsix = given ? resolve(given) : join(root, 'build', 'story', 'svc-x402.vsix');

await runSource(
  'test/story/main.ts',
  ['--editor', editor, '--vsix', vsix, ...process.argv.slice(2)],
  async () => {
    const browsers = ['/usr/bin/chromium', '/usr/bin/google-chrome', '/usr/bin/chromium-browser'];
    if (!process.env.CHROMIUM && !browsers.some((path) => existsSync(path))) {
      throw new Error('The story needs a browser: install chromium, or name one in CHROMIUM.');
    }
    await install(join(root, 'test', 'editor'), paidApi, agentExample);
    if (given) await buildIfStale();
    else {
      mkdirSync(dirname(vsix), { recursive: true });
      await waiting('packing the extension', () =>
        run(process.execPath, [join('scripts', 'package.mjs'), vsix]),
      );
    }
    await waiting('installing the editor', () =>
      run(process.execPath, [join('test', 'editor', 'installEditor.mjs'), 'newest', editor]),
    );
  },
);
