import assert from 'node:assert/strict';
import { xdr } from '@stellar/stellar-sdk';
import type { ContractAddress } from '../../../src/protocol/index.ts';
import { readScAddress, toI128, toScAddress } from '../../../src/protocol/stellar/index.ts';
import {
  accountSigner,
  createX402Fetch,
  declarePaymentIdentifier,
  type SubmitCall,
} from '../../../src/sdk/index.ts';
import { AgentWallet } from '../../policies/support/agentWallet.ts';
import { Chain } from '../../policies/support/chain.ts';
import { openTestSeller, type TestSeller } from '../../policies/support/seller.ts';
import { openPayer, openSeller } from '../../support/accounts.ts';
import { type LocalStack, startLocalStack } from '../../support/localStack.ts';
import { type TestKey, testKey } from '../../support/payer.ts';
import { USDC } from '../../support/payment.ts';
import { contractOf } from '../../upto/uptoPayment.ts';
import type { Addresses } from './runExample.ts';

/** 0.01 USDC */
const PRICE = 100_000n;
/** 5 USDC */
const HELD = 50_000_000n;

/** A network with a facilitator and sellers. */
export interface Market {
  readonly stack: LocalStack;
  readonly payTo: TestKey;
  readonly addresses: Addresses;
  /** Sellers: one that delivers, one of scheme `upto`, one that charges and hangs up, one that takes identifiers. */
  readonly sellers: Readonly<Record<'honest' | 'upto' | 'broken' | 'named', TestSeller>>;
  close(): Promise<void>;
}

export async function openMarket(): Promise<Market> {
  const upto = { uptoContractId: 'CDPETPFJXCBHIMGQERUKCWER6ISYW565DQQT3GER7VSLOUHG5IMGUVZ6' };
  const stack = await startLocalStack(upto);
  assert.equal(contractOf(stack), upto.uptoContractId);
  const payTo = await openSeller(stack);
  const { url } = stack.facilitator;
  const open = (extensions?: () => object, terms?: object) =>
    openTestSeller(url, payTo.address, PRICE, extensions, terms);
  const extra = { areFeesSponsored: true, uptoContract: upto.uptoContractId };
  const sellers = {
    honest: await open(),
    upto: await open(undefined, { scheme: 'upto', extra }),
    broken: await open(),
    named: await open(() => declarePaymentIdentifier()),
  };
  sellers.broken.resource = (response) => response.destroy();
  return {
    stack,
    payTo,
    sellers,
    addresses: {
      'http://127.0.0.1:8000/rpc': stack.rpcUrl,
      'http://127.0.0.1:4021': url,
      'http://127.0.0.1:4022/weather/Lima': `${sellers.honest.url}/paid`,
      'http://127.0.0.1:4022/words/37': `${sellers.upto.url}/paid`,
    },
    async close() {
      for (const one of Object.values(sellers)) await one.close();
      await stack.close();
    },
  };
}

/** What an example cannot make itself: the names that it is given, and their values on a network. */
export interface Context {
  readonly declarations: string;
  open(market: Market): Promise<Readonly<Record<string, unknown>>>;
  /** Addresses that differ. */
  addresses?(market: Market): Partial<Addresses>;
}

const SIGN = 'declare function sign(hash: Uint8Array): Uint8Array;';
const ACCOUNT = `declare const wallet: string, keyId: Uint8Array, publicKey: Uint8Array;
  declare function askPasskey(challenge: Uint8Array): Promise<import('svc-x402-sdk').PasskeyAssertion>;
  declare const submit: import('svc-x402-sdk').SubmitCall;`;
let count = 0;

export const CONTEXTS: Readonly<Record<string, Context>> = {
  'an account that holds USDC': {
    declarations: `declare const address: string; ${SIGN}`,
    async open({ stack }) {
      const { address, sign } = await openPayer(stack, HELD);
      return { address, sign };
    },
  },
  'an agent that has a budget': {
    declarations: `declare const wallet: string, publicKey: Uint8Array; ${SIGN}`,
    async open(market) {
      const { account } = await fundedAccount(market);
      const policy = await account.limit(undefined, HELD, 86_400n);
      await account.attach(policy);
      await account.grant([USDC as ContractAddress], [policy]);
      const { publicKey, sign } = account.agent;
      return { wallet: account.id, publicKey, sign };
    },
  },
  'a smart account and its passkey': { declarations: ACCOUNT, open: accountAndPasskey },
  'a passkey kit': {
    declarations: `${ACCOUNT}
      declare const kit: import('svc-x402-sdk').PasskeyKit, sac: import('svc-x402-sdk').SacClients,
        backend: import('svc-x402-sdk').WalletBackend;`,
    async open(market) {
      const { account, chain, fund } = await openAccount(market);
      const { id, owner } = account;
      const connection = {
        contractId: id,
        keyIdBase64: Buffer.from(owner.keyId).toString('base64'),
      };
      return {
        ...valuesOf(account, chain),
        kit: {
          // The account is on the ledger already: what the kit leaves to the backend is to fill it.
          createWallet: async () => ({ ...connection, signedTx: fund }),
          connectWallet: async () => connection,
        },
        sac: {
          getSACClient: (asset: string) => ({
            balance: async (args: { id: string }) => ({
              result: await chain.ask(asset, 'balance', [address(args.id)]),
            }),
          }),
        },
        backend: { submitTransaction: (signed: typeof fund) => signed() },
      };
    },
  },
  'a seller that charges and then hangs up': {
    declarations: '',
    open: async () => ({}),
    addresses: ({ sellers }) => ({
      'http://127.0.0.1:4022/weather/Lima': `${sellers.broken.url}/paid`,
    }),
  },
  'a request that was paid': {
    declarations: 'declare const request: Request;',
    async open({ stack, sellers }) {
      const payer = await openPayer(stack, HELD);
      let request: Request | undefined;
      const pay = createX402Fetch({
        signer: accountSigner(payer.address, payer.sign),
        rpcUrl: stack.rpcUrl,
        allowedAssets: [USDC],
        paymentId: () => 'order-2026-000000017',
        fetch: async (input, init) => {
          if (input instanceof Request && input.headers.has('payment-signature')) request = input;
          return fetch(input, init);
        },
      });
      assert.equal((await pay(`${sellers.named.url}/paid`)).status, 200);
      return { request };
    },
  },
  'the published packages': {
    declarations: 'declare const seller: string;',
    open: async ({ payTo }) => ({ seller: payTo.address }),
  },
};

const address = (value: string) => xdr.ScVal.scvAddress(toScAddress(value as ContractAddress));

async function accountAndPasskey(market: Market) {
  const { account, chain } = await fundedAccount(market);
  return valuesOf(account, chain);
}

function valuesOf({ id, owner }: AgentWallet, chain: Chain) {
  const { publicKey } = testKey(`key to add ${id}`);
  const askPasskey = async (challenge: Uint8Array) => owner.assert(challenge);
  return { wallet: id, keyId: owner.keyId, publicKey, askPasskey, submit: relayer(chain) };
}

async function fundedAccount(market: Market) {
  const opened = await openAccount(market);
  await opened.fund();
  return opened;
}

async function openAccount({ stack }: Market) {
  const funder = await openPayer(stack, HELD);
  const chain = new Chain(stack, funder);
  const account = await AgentWallet.open(chain, `example ${count++}`);
  const args = [address(funder.address), address(account.id), toI128(HELD)];
  return { account, chain, fund: () => chain.call(USDC, 'transfer', args) };
}

/** What a relayer does: it puts the call into a transaction of its own. */
function relayer(chain: Chain): SubmitCall {
  return async ({ func, auth }) => {
    const call = xdr.HostFunction.fromXdr(func, 'base64');
    assert.ok(call.type === 'hostFunctionTypeInvokeContract');
    const { contractAddress, functionName, args } = call.invokeContract;
    const entries = auth.map((entry) => xdr.SorobanAuthorizationEntry.fromXdr(entry, 'base64'));
    const contract = readScAddress(contractAddress) ?? '';
    return chain.present(contract, functionName.toString(), [...args], entries);
  };
}
