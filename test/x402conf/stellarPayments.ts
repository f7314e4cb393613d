import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import { XLM_CONTRACT } from '../../common/testnetAssets.ts';
import { type ContractAddress, USDC_CONTRACT } from '../../src/protocol/index.ts';
import {
  authorizationPreimage,
  contractAddressOf,
  toScAddress,
} from '../../src/protocol/stellar/index.ts';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import { freshNonce } from '../support/freshPayment.ts';
import type { LocalStack } from '../support/localStack.ts';
import { type TestKey, testKey } from '../support/payer.ts';
import {
  accountSignature,
  authorizationEntry,
  invocation,
  paymentRequest,
} from '../support/payment.ts';

/** What the conformance tool writes for a payment: an abstract transaction, which here becomes a signed authorization. */
const askedSchema = z.object({
  /** Another name is another envelope: the same nonce with a later expiration, if the memo is the same. */
  tx: z.string(),
  /** A payment's uniqueness: one payer and one nonce. */
  memo: z.string(),
  amount: z.union([z.number(), z.string()]),
  mint: z.string(),
  dest: z.string(),
  net: z.string(),
  /** The tool's terms; their resource is the payload's. */
  requirements: z.looseObject({
    ...{ scheme: z.string(), network: z.string(), asset: z.string(), amount: z.string() },
    ...{ payTo: z.string(), maxTimeoutSeconds: z.number(), resource: z.string().optional() },
  }),
  /** Whether the buyer names the sale, and whether the seller declared that it recognizes sales. */
  identifier: z.boolean(),
  declared: z.boolean(),
  /** The seller refuses payments that do not name the sale. */
  required: z.boolean(),
  /** The sale that the identifier names, if it is not the memo's. */
  sale: z.string().optional(),
});

/** Payers that exist before the first check, because making one closes a ledger. */
const PAYERS = 30;
/** Ledgers that a payment is valid for; each new name of a transaction adds one. */
const VALID_LEDGERS = 40;
const BALANCE = '5';
const PUBLIC_NETWORK = createHash('sha256')
  .update('Public Global Stellar Network ; September 2015')
  .digest();
/** An address that no contract has. */
const NO_CONTRACT = contractAddressOf(Buffer.alloc(32, 7));

export interface StellarPayments {
  readonly url: string;
  readonly payTo: string;
  close(): Promise<void>;
}

type Asked = z.infer<typeof askedSchema>;

/**
 * Makes real payments for the conformance tool, and decides when and how the ledger includes them.
 * @param round each has payers of its own, because the tool names the same payments every time
 */
export async function startStellarPayments(
  stack: LocalStack,
  round: string,
): Promise<StellarPayments> {
  const { ledger } = stack;
  const usdc = `USDC:${ledger.accounts.usdcIssuer}`;
  const hold = (account: string, asset: string, amount: string) =>
    ledger.control('svc_setBalance', { account, asset, amount });
  const payTo = testKey(`recipient of ${round}`).address;
  const free = Array.from({ length: PAYERS }, (_, at) => testKey(`payer ${at} of ${round}`));
  for (const { address } of [...free, { address: payTo }]) {
    await hold(address, 'native', '100');
    await hold(address, usdc, BALANCE);
  }

  const sales = new Map<
    string,
    { readonly payer: TestKey; readonly nonce: bigint; names: string[] }
  >();
  const expirations = new Map<string, number>();

  function saleOf({ memo, tx, sale }: Asked) {
    const known = sales.get(memo) ?? {
      payer: sales.get(sale ?? memo)?.payer ?? free.pop() ?? testKey(`${memo} of ${round}`),
      nonce: freshNonce(),
      names: [],
    };
    sales.set(memo, known);
    if (!known.names.includes(tx)) known.names.push(tx);
    return known;
  }

  /** The tool's stand-ins for assets: ours, an asset without a contract, and another one with the same amount. */
  function assetOf(name: string): ContractAddress {
    if (name === USDC_CONTRACT) return USDC_CONTRACT;
    return name.startsWith('x402confNoCode') ? NO_CONTRACT : XLM_CONTRACT;
  }

  async function pay(asked: Asked): Promise<FacilitatorRequest> {
    const { payer, nonce, names } = saleOf(asked);
    const { resource: url = 'https://paid.example/resource', ...terms } = asked.requirements;
    const expirationLedger =
      expirations.get(asked.tx) ??
      (await stack.network.getLatestLedger()) + VALID_LEDGERS + names.indexOf(asked.tx);
    expirations.set(asked.tx, expirationLedger);
    const amount = typeof asked.amount === 'number' ? BigInt(asked.amount) : BigInt(terms.amount);
    const call = { asset: assetOf(asked.mint), from: payer.address, amount };
    const to = toScAddress(asked.dest as typeof payTo);
    const right = { by: payer.address, signer: payer, nonce, expirationLedger };
    const foreign = asked.net !== 'stellar:testnet';
    const unsigned = authorizationEntry({ ...right, signer: null }, invocation({ ...call, to }));
    const hash = createHash('sha256')
      .update(authorizationPreimage(unsigned, PUBLIC_NETWORK))
      .digest();
    const entry = foreign ? { ...right, signature: accountSignature(payer, hash) } : right;
    const extra = {
      areFeesSponsored: true,
      ...(asked.declared
        ? { 'payment-identifier': { method: 'GET', resource: url, required: asked.required } }
        : {}),
    };
    const requirements = {
      ...terms,
      asset: terms.asset === asked.mint ? call.asset : USDC_CONTRACT,
      extra,
    };
    // An amount that is not a number of atomic units is one that the buyer claims to have accepted.
    const accepted = typeof asked.amount === 'string' ? { amount: asked.amount } : {};
    const request = paymentRequest({
      ...{ ...call, to, fee: 400_000, entries: [entry] },
      ...{ requirements: requirements as never, accepted },
    });
    const id = `sale-of-${createHash('sha256')
      .update(asked.sale ?? asked.memo)
      .digest('hex')
      .slice(0, 24)}`;
    const paymentPayload = {
      ...request.paymentPayload,
      resource: { url },
      ...(asked.identifier
        ? { extensions: { 'payment-identifier': { info: { required: false, id } } } }
        : {}),
    };
    return { ...request, paymentPayload };
  }

  async function advance(memo: string, status: string): Promise<void> {
    const payer = sales.get(memo)?.payer;
    // The ledger refuses the transfer of what the payer no longer has.
    if (status === 'failed' && payer !== undefined) await hold(payer.address, usdc, '0');
    await ledger.control('svc_setCloseMode', { mode: status === 'pending' ? 'manual' : 'demand' });
  }

  async function answer(request: IncomingMessage): Promise<unknown> {
    const asked = (await json(request)) as Record<string, unknown>;
    if (request.url === '/payment') return pay(askedSchema.parse(asked));
    if (request.url === '/chain') {
      await advance(String(asked['memo']), String(asked['status']));
      return {};
    }
    return { balance: await balance() };
  }

  async function balance(): Promise<string> {
    const response = await fetch(`${ledger.urls?.horizon}/accounts/${payTo}`);
    const account = (await response.json()) as {
      balances: { balance: string; asset_code?: string }[];
    };
    return account.balances.find(({ asset_code }) => asset_code === 'USDC')?.balance ?? '0';
  }

  const server = createServer((request, response) => {
    void answer(request).then(
      (body) => response.end(JSON.stringify(body)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...{ url: `http://127.0.0.1:${port}`, payTo },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
