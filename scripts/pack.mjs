// `npm run package [-- npm | sdk] [ARGUMENT…]`: the .vsix, the npm package, or the client SDK as a package of its own.

import { runNamed } from './runSource.mjs';

await runNamed(
  'package',
  {
    extension: { program: 'package.mjs', words: 'the .vsix, which is made without a name too' },
    npm: { program: 'packNpm.mjs', words: 'the npm package: command line and library' },
    sdk: { program: 'packSdk.mjs', words: 'the client SDK as a package of its own' },
  },
  'extension',
);
