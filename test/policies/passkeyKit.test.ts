import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Keypair } from '@stellar/stellar-sdk';
import { explainRefusal } from '../../src/protocol/smartAccount/index.ts';
import { openAccount } from '../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../support/localStack.ts';
import { Chain } from './support/chain.ts';
import { MODULES } from './support/contractModules.ts';
import { skipUnless } from './support/requireClients.ts';

const folder = fileURLToPath(new URL('./passkey-kit/', import.meta.url));
const skip = skipUnless(
  existsSync(join(folder, 'node_modules', 'passkey-kit')),
  'passkey-kit is not installed: `npm run lab -- policies` does it',
);
const run = promisify(execFile);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** What `drive.mjs` prints. Balances are of 1,000 at first. */
interface Report {
  readonly created: string;
  readonly connected: boolean;
  readonly promptsSoFar: number;
  readonly funded: string;
  readonly deployable: boolean;
  readonly attachTxHash: string;
  readonly promptsOfDeploy: number;
  readonly promptsOfTwoChanges: number;
  readonly policy: string;
  readonly afterAgent: string;
  readonly overCap: string;
  readonly afterOwner: string;
  readonly policyAlone: string;
  readonly afterUpdate: string;
  readonly afterRemoval: string;
  readonly lastOwner: string;
}

describe('passkey-kit 0.12.0, unmodified, on the embedded network', { skip }, () => {
  let local: LocalStack;
  let chain: Chain;
  let scratch: string;
  let report: Report;

  before(async () => {
    local = await startLocalStack({ policyProofRequired: false });
    scratch = mkdtempSync(join(tmpdir(), 'svc-x402-passkey-kit-'));
    const source = await openAccount(local);
    chain = new Chain(local, source);
    // The kit deploys from an account of its own, whose key everybody knows.
    const seed = createHash('sha256').update('kalepail').digest();
    const deployer = Keypair.fromRawEd25519Seed(seed).publicKey();
    await fetch(`${local.friendbotUrl}?addr=${deployer}`);
    await chain.upload(MODULES.account.wasm);
    const authority = join(scratch, 'authority.pem');
    writeFileSync(authority, local.ledger.certificateAuthority?.pem ?? '');
    const told = {
      rpcUrl: local.ledger.urls?.rpcTls,
      passphrase: local.ledger.passphrase,
      accountHash: hex(MODULES.account.hash),
      gatewayUrl: local.facilitator.url,
      sourceSecret: source.secret,
    };
    const { stdout } = await run(
      process.execPath,
      ['--import', 'tsx', join(folder, 'drive.mjs'), JSON.stringify(told)],
      { env: { ...process.env, NODE_EXTRA_CA_CERTS: authority } },
    );
    report = JSON.parse(stdout) as Report;
  });
  after(async () => {
    await local?.close();
    if (scratch !== undefined) rmSync(scratch, { recursive: true });
  });

  it('under createSvcWallet: creates the account, and connects it again without a prompt', () => {
    assert.match(report.created, /^C[A-Z2-7]{55}$/);
    assert.equal(report.connected, true);
    assert.equal(report.promptsSoFar, 0);
  });

  it('[spec: SDK wallet handle/policies.*] under createSvcWallet: reads a balance; generates, simulates and deploys a policy with one prompt', async () => {
    assert.equal(report.funded, '1000');
    assert.equal(report.deployable, true);
    assert.match(report.attachTxHash, /^[0-9a-f]{64}$/);
    assert.equal(report.promptsOfDeploy, 1);
    assert.equal((await chain.budget(report.policy)).remaining, 100n - 60n);
  });

  it('adds a policy and a limited key, with one prompt each', async () => {
    assert.equal(report.promptsOfTwoChanges, 2);
    assert.deepEqual(await chain.ask(report.created, 'policies'), [report.policy]);
  });

  it('signs with the limited key, whose policy refuses payments over the cap', () => {
    assert.equal(report.afterAgent, '940');
    assert.deepEqual(explainRefusal(report.overCap)?.policy, 1);
  });

  it('signs with the passkey, which no policy limits', () => {
    assert.equal(report.afterOwner, '880');
  });

  it('updates and removes the key', () => {
    assert.equal(report.afterUpdate, '680');
    assert.equal(explainRefusal(report.afterRemoval)?.account, 100);
  });

  it('is refused if the account is stricter: a policy is not a signature, the last owner stays', (t) => {
    assert.equal(explainRefusal(report.policyAlone)?.account, 110);
    assert.match(report.lastOwner, /Error\(Contract, #104\)/);
    const words = (text: string) => explainRefusal(text)?.message ?? text.split('\n', 1)[0];
    t.diagnostic(`a payment over the cap: ${words(report.overCap)}`);
    t.diagnostic(`a policy in place of a signature: ${words(report.policyAlone)}`);
    t.diagnostic(`the last owner removed: ${words(report.lastOwner)}`);
  });
});
