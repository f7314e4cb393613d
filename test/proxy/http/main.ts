/**
 * `npm run lab -- http --checkouts FOLDER [--write]`
 *
 * Runs other people's HTTP tools against the proxy, with an API behind it that reads HTTP by the letter. FOLDER has the checkouts
 * `h1spec`, `llhttp` and `smuggler` at the commits below; what is missing is not run. `--write` writes docs/evidence/http.md.
 */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openTill } from '../../../src/cli/check/till.ts';
import { temporaryFolder } from '../../cli/cliProcess.ts';
import { runTool } from '../../clients/tool.ts';
import { openShop } from '../support/shop.ts';
import { isGood, pageOf, reportOf } from './report.ts';
import { startStrictUpstream } from './strictUpstream.ts';
import { runHttpTools } from './tools.ts';

const COMMITS = {
  h1spec: 'f0a5650a20c575fbea0f7179a3a9cfa50f20ba6e',
  llhttp: '01e105a30fd06e248bc8ac73c4adb34a63d4114a',
  smuggler: '2be871e6151ce85167a277fab21c74c851d8b20b',
} as const;
const PAY_TO = 'GBBD47IF6LWK7P7MDEVSCWR7DPUWV3NY3DTQEVFL4NAT4AQH3ZLLFLA5';

const { values } = parseArgs({
  options: { checkouts: { type: 'string' }, write: { type: 'boolean', default: false } },
});
const say = (line: string): void => console.error(`… ${line}`);
const page = fileURLToPath(new URL('../../../docs/evidence/http.md', import.meta.url));
const folder = temporaryFolder();
const checkouts = values.checkouts === undefined ? folder.path : resolve(values.checkouts);
for (const [name, commit] of Object.entries(COMMITS)) {
  const { code, stdout } = await runTool(
    'git',
    ['-C', join(checkouts, name), 'rev-parse', 'HEAD'],
    {
      ...{ cwd: '/', seconds: 10 },
    },
  );
  if (code === 0 && stdout.trim() !== commit)
    say(`${name} is at ${stdout.trim()}, not at ${commit}`);
}
const till = await openTill();
const upstream = await startStrictUpstream();
const shop = await openShop(
  `upstream: http://127.0.0.1:${upstream.port}
payTo: ${PAY_TO}
routes:
  "* /sold": 0.01
otherwise: free
`,
  { facilitatorUrl: till.url },
);
const place = { port: shop.proxy.port, upstream, checkouts };
const found = await runHttpTools(place, say).finally(async () => {
  upstream.close();
  await shop.close();
  await till.close();
  folder.remove();
});
console.log(reportOf(found));
if (values.write) writeFileSync(page, pageOf(found, COMMITS));
process.exit(found.every(isGood) ? 0 : 1);
