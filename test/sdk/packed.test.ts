import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A program as a stranger writes it: addresses are text, errors are told apart by class and code. */
const PROGRAM = `
import { startLedger, type RunningLedger } from 'svc-x402/ledger';
import {
  accountSigner, agentSigner, CannotPayError, createPolicyClient, createSvcWallet, createX402Fetch, explainRefusal,
  PaymentOutcomeUnknownError, toSigner, toSignerKey, X402Error,
  type PaymentSigner, type PolicyDefinition, type SvcWallet, type WalletSigner,
} from 'svc-x402/sdk';
import { UptoStellarClient, UptoStellarServer } from 'svc-x402/upto';
import { createSeller, paymentOf, type Seller, type SellerOptions } from 'svc-x402/seller';

const sign = async (hash: Uint8Array): Promise<Uint8Array> => hash;
const account: PaymentSigner = accountSigner('G', sign);
const agent: PaymentSigner = agentSigner('C', new Uint8Array(32), sign);
const freighter: WalletSigner = {
  address: 'G',
  signAuthEntry: async (preimage: string) => ({ signedAuthEntry: preimage }),
};
export async function buy(url: string, wallet: SvcWallet): Promise<bigint | undefined> {
  for (const signer of [account, agent, freighter]) {
    const pay: typeof fetch = createX402Fetch({ signer, rpcUrl: 'http://127.0.0.1', maxAmount: 1n });
    try {
      await pay(url);
    } catch (error) {
      if (error instanceof PaymentOutcomeUnknownError) return BigInt(error.expirationLedger);
      if (error instanceof CannotPayError) console.log(error.refusal?.policyContract);
      if (error instanceof X402Error && error.moneyMoved === 'no') return 0n;
    }
  }
  const definition: PolicyDefinition = {
    version: '1', type: 'spending_limit', owners: ['C'], spendingLimits: { dailyXlm: '1' },
  };
  const { wallet: owner, summary } = await wallet.policies.generate(definition);
  const address: string | undefined = wallet.address;
  console.log(owner, summary.title, address, explainRefusal('')?.message);
  return undefined;
}
export const value: Uint8Array = toSigner({
  key: { kind: 'ed25519', publicKey: new Uint8Array(32) },
  expirationLedger: null,
  grants: new Map([['C', [{ kind: 'policy', policy: 'C' }]]]),
  storage: 'Persistent',
}).toXdr();
export const named: Uint8Array = toSignerKey({ kind: 'policy', policy: 'C' }).toXdr();
export const gateway = createPolicyClient({ apiUrl: 'http://127.0.0.1', network: 'stellar:testnet' });
export const wallet = (kit: Parameters<typeof createSvcWallet>[0]['kit']) =>
  createSvcWallet({ network: 'stellar:testnet', appName: 'app', kit });
export const schemes = [new UptoStellarClient(freighter, { rpcUrl: 'http://127.0.0.1' }), new UptoStellarServer()];
const sellerOptions: SellerOptions = { payTo: 'G', facilitator: 'http://127.0.0.1:4021' };
export const seller: Seller = createSeller(sellerOptions);
export const sold: (request: Request) => Promise<Response> = seller.fetch({ price: '0.01' }, (request) =>
  Response.json({ amount: String(paymentOf(request)?.amount) }),
);
export async function network(): Promise<number> {
  const ledger: RunningLedger = await startLedger({ port: null, close: { kind: 'manual' } });
  const { sequence }: { sequence?: number } = await ledger.control('svc_closeLedger').then(() => ({}));
  return sequence ?? ledger.closeLedger();
}
`;

/** What must not compile: a declaration that is too wide hides mistakes. */
const MISTAKES = [
  "import { accountSigner } from 'svc-x402/sdk'; accountSigner(undefined, async (hash) => hash);",
  "import { createX402Fetch } from 'svc-x402/sdk'; createX402Fetch({ rpcUrl: 'http://127.0.0.1' });",
  "import { createX402Fetch, type PaymentSigner } from 'svc-x402/sdk'; declare const signer: PaymentSigner; createX402Fetch({ signer, rpcUrl: '', maxAmount: 1 });",
  "import { nothing } from 'svc-x402/sdk'; nothing();",
];

const { ModuleKind, ModuleResolutionKind } = ts;
const RESOLUTIONS: readonly (readonly [string, string, ts.CompilerOptions])[] = [
  [
    'nodenext, an ES module',
    'program.mts',
    { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  ],
  [
    'nodenext, CommonJS',
    'program.cts',
    { module: ModuleKind.NodeNext, moduleResolution: ModuleResolutionKind.NodeNext },
  ],
  [
    'bundler',
    'program.ts',
    { module: ModuleKind.ESNext, moduleResolution: ModuleResolutionKind.Bundler },
  ],
  [
    'node10',
    'program.ts',
    { module: ModuleKind.CommonJS, moduleResolution: ModuleResolutionKind.Node10 },
  ],
];

/** What a program thrown away at the top prints. */
const UNCAUGHT = `
const { createX402Fetch } = require('svc-x402/sdk');
createX402Fetch({ signer: undefined, rpcUrl: 'http://127.0.0.1' });
`;

describe('[C8] The packed npm package, in a stranger’s folder', () => {
  let folder = '';
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-x402-packed-'));
    const packed = join(folder, 'svc-x402.tgz');
    execFileSync(process.execPath, ['scripts/packNpm.mjs', packed], { cwd: root, stdio: 'pipe' });
    writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
    const install = ['install', '--offline', '--no-audit', '--no-fund', packed];
    execFileSync('npm', install, { cwd: folder, stdio: 'pipe' });
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  function complaints(file: string, text: string, options: ts.CompilerOptions): string[] {
    const path = join(folder, file);
    writeFileSync(path, text);
    const program = ts.createProgram([path], {
      ...options,
      target: ts.ScriptTarget.ES2022,
      lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipDefaultLibCheck: true,
      noEmit: true,
    });
    return ts
      .getPreEmitDiagnostics(program)
      .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
  }

  for (const [name, file, options] of RESOLUTIONS) {
    it(`compiles under ${name}`, () => assert.deepEqual(complaints(file, PROGRAM, options), []));
  }

  it('refuses mistakes', () => {
    const [, , options] = RESOLUTIONS[0] ?? assert.fail('no resolution');
    for (const mistake of MISTAKES) {
      assert.equal(complaints('mistake.mts', mistake, options).length, 1, mistake);
    }
  });

  const node = (...args: string[]) =>
    execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });

  it('declares exactly its exports, for import and for require', () => {
    for (const library of ['sdk', 'upto', 'ledger']) {
      const script = `console.log(JSON.stringify(Object.keys(require('svc-x402/${library}')).sort()))`;
      const exported = JSON.parse(node('-e', script)) as string[];
      const text = readFileSync(join(folder, `node_modules/svc-x402/dist/${library}.d.ts`), 'utf8');
      const declared = /^export \{([^}]*)\};$/m.exec(text)?.[1]?.split(',') ?? [];
      const values = declared.map((name) => name.trim()).filter((name) => name !== '');
      assert.deepEqual(values.sort(), exported, library);
      const imported = `import('svc-x402/${library}').then((all) => console.log(JSON.stringify(Object.keys(all).sort())))`;
      const names = JSON.parse(node('-e', imported)) as string[];
      assert.deepEqual(
        names.filter((name) => !['default', 'module.exports'].includes(name)),
        exported,
      );
    }
  });

  it('[C5] its error classes keep their names', () => {
    const script = `
      const sdk = require('svc-x402/sdk');
      const upto = require('svc-x402/upto');
      const raise = (run) => { try { run(); } catch (error) { return error.name; } };
      console.log(JSON.stringify([
        raise(() => sdk.createX402Fetch({})),
        raise(() => sdk.createPolicyClient({ apiUrl: '', network: '' })),
        raise(() => upto.accountSigner()),
        new sdk.MaxAmountExceededError(1n, 0n).name,
      ]))`;
    assert.deepEqual(JSON.parse(node('-e', script)), [
      'X402NotConfiguredError',
      'PoliciesNotConfiguredError',
      'X402NotConfiguredError',
      'MaxAmountExceededError',
    ]);
  });

  it('[D5] an uncaught error prints its name and message, not the bundle', () => {
    writeFileSync(join(folder, 'uncaught.cjs'), UNCAUGHT);
    assert.throws(
      () => node('uncaught.cjs'),
      ({ stderr }: { stderr: string }) => {
        assert.match(stderr, /X402NotConfiguredError: x402 needs a signer/);
        assert.ok(stderr.length < 4_000, `${stderr.length} bytes`);
        return true;
      },
    );
  });
});
