import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { parseServiceFile } from '../../src/machine/index.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const paidApi = fileURLToPath(new URL('../../examples/paid-api/', import.meta.url));

describe('payments that must be refused, with the published client', () => {
  const folder = temporaryFolder();
  let dev: CliProcess;
  let seller: ReturnType<typeof spawn>;
  let lines: Record<string, unknown>[] = [];
  let exitStatus: unknown;

  before(async () => {
    const ports = ['--ledger-port', '0', '--facilitator-port', '0'];
    dev = new CliProcess(['dev', '--no-demo', '--json', '--data-dir', folder.path, ...ports]);
    await dev.event('serving');
    const service = parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'));
    assert.ok(service?.network.certificateAuthorityFile && service.network.rpcTlsUrl);
    const environment = {
      PATH: process.env['PATH'] ?? '',
      FACILITATOR_URL: service.facilitatorUrl ?? '',
      STELLAR_RPC_URL: service.network.rpcTlsUrl,
      FRIENDBOT_URL: service.network.friendbotUrl ?? '',
      NODE_EXTRA_CA_CERTS: service.network.certificateAuthorityFile,
      PORT: '0',
    };
    seller = spawn(process.execPath, ['seller.mjs', '--json'], {
      cwd: paidApi,
      env: environment,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const url = await listening(seller);
    const run = spawn(process.execPath, ['negatives.mjs', '--json'], {
      cwd: paidApi,
      env: { ...environment, RESOURCE_URL: url },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [output, [code]] = await Promise.all([text(run.stdout), once(run, 'close')]);
    exitStatus = code;
    lines = output
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  });

  after(async () => {
    seller?.kill();
    await dev.stop();
    folder.remove();
  });

  const expected: readonly (readonly [string, number | string, RegExp])[] = [
    ['a payment signed for less than the price', 402, /payload_wrong_amount$/],
    ['an amount changed after signing', 402, /unexpected_authorization$/],
    ['an authorization presented a second time', 402, /authorization_replayed$/],
    ['a payer whose funds left after signing', 402, /simulation_failed/],
    ['a payer who never had funds', 'not sent', /./],
  ];
  for (const [negative, status, reason] of expected) {
    it(`${negative}: refused, and balances are unchanged`, () => {
      const line = lines.find((one) => one['negative'] === negative);
      assert.ok(line, JSON.stringify(lines, undefined, 1));
      assert.equal(line['step'], 'refused', String(line['message']));
      assert.equal(line['status'], status);
      assert.match(String(line['reason']), reason);
      assert.equal(line['balancesUnchanged'], true);
    });
  }

  it('the program ends with status 0', () => {
    assert.equal(exitStatus, 0);
  });
});

/** The URL that the seller prints once it listens. */
async function listening(seller: ReturnType<typeof spawn>): Promise<string> {
  if (!seller.stdout) throw new Error('The seller has no output.');
  let output = '';
  for await (const chunk of seller.stdout) {
    output += String(chunk);
    const line = output.split('\n').find((one) => one.includes('"listening"'));
    if (line) return String((JSON.parse(line) as { url: unknown }).url);
  }
  throw new Error(`The seller ended: ${output}`);
}
