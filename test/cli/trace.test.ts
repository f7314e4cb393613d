import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  Account,
  Address,
  Keypair,
  nativeToScVal,
  Operation,
  TransactionBuilder,
} from '@stellar/stellar-sdk';
import { parseServiceFile } from '../../src/machine/index.ts';
import { TESTNET_PASSPHRASE, USDC_CONTRACT } from '../../src/protocol/index.ts';
import { CliProcess, temporaryFolder } from './cliProcess.ts';

const ANY_PORT = ['--ledger-port', '0', '--facilitator-port', '0'];

describe('svc-x402 trace', () => {
  const folder = temporaryFolder();
  let dev: CliProcess;
  let rpcUrl = '';
  let payment = '';

  const trace = (...args: string[]) =>
    new CliProcess(['trace', ...args], { SVC_X402_DATA_DIR: folder.path }).ended;

  before(async () => {
    dev = new CliProcess(['dev', '--json', '--trace', '--data-dir', folder.path, ...ANY_PORT]);
    await dev.event('serving');
    const service = parseServiceFile(readFileSync(join(folder.path, 'service.json'), 'utf8'));
    rpcUrl = service?.network.rpcUrl ?? '';
    const horizon = service?.network.horizonUrl ?? '';
    const response = await fetch(`${horizon}/transactions?order=desc&limit=50`);
    const page = (await response.json()) as {
      _embedded: { records: { hash: string; fee_account: string; source_account: string }[] };
    };
    const settled = page._embedded.records.find((one) => one.fee_account !== one.source_account);
    payment = settled?.hash ?? '';
  });
  after(async () => {
    await dev.stop();
    folder.remove();
  });

  it('prints the story of a payment: authorization, channel and fee bump, transfer', async () => {
    const { code, stdout, stderr } = await trace(payment);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Transaction [0-9a-f]{64} in ledger \d+: successful$/m);
    assert.match(stdout, /The buyer \S+ authorized 0\.01 USDC, valid until ledger \d+\./);
    assert.match(
      stdout,
      /The channel account \d+ \S+ sent the transaction; the facilitator's sponsor/,
    );
    assert.match(stdout, /USDC \S+\.transfer\(from: \S+, to: \S+, amount: 0\.01 USDC\)/);
    assert.match(stdout, /0\.01 USDC moved from/);
  });

  it('--json prints the tree, and --rpc-url names the network', async () => {
    const { code, stdout } = await trace(payment, '--json', '--rpc-url', rpcUrl);
    assert.equal(code, 0);
    const { steps, hash, successful } = JSON.parse(stdout);
    assert.equal(hash, payment);
    assert.equal(successful, true);
    assert.equal(steps[0].function, 'transfer');
  });

  it('a hash that no ledger has, and an unknown network, are failures in a sentence', async () => {
    const unknown = await trace('ab'.repeat(32));
    assert.equal(unknown.code, 1);
    assert.match(unknown.stderr, /^Could not trace (ab){32}: no transaction with this hash/);
    const nobody = await trace(payment, '--rpc-url', 'http://127.0.0.1:9/rpc');
    assert.equal(nobody.code, 1);
    assert.match(nobody.stderr, /^No network answers at http:\/\/127\.0\.0\.1:9\.$/m);
  });

  it('dev --trace prints the tree of a simulation that fails', async () => {
    const poor = Keypair.random();
    const call = Operation.invokeContractFunction({
      contract: USDC_CONTRACT,
      function: 'transfer',
      args: [
        new Address(poor.publicKey()).toScVal(),
        new Address(USDC_CONTRACT).toScVal(),
        nativeToScVal(20_000_000n, { type: 'i128' }),
      ],
    });
    const transaction = new TransactionBuilder(new Account(poor.publicKey(), '1'), {
      fee: '100',
      networkPassphrase: TESTNET_PASSPHRASE,
    })
      .addOperation(call)
      .setTimeout(0)
      .build();
    await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'simulateTransaction',
        params: { transaction: transaction.toXdr() },
      }),
    });
    const shown = await dev.event('trace');
    assert.equal(shown['kind'], 'simulation');
    assert.equal(shown['successful'], false);
    const failure = shown['failure'] as { function: string; contract: { name: string } };
    assert.deepEqual([failure.contract.name, failure.function], ['USDC', 'transfer']);
  });
});
