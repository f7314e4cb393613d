import type { SupportedProtocol } from '../../network/src/hostModule.ts';
import { toI128 } from '../../src/protocol/stellar/index.ts';
import { Chain, Refused } from '../../test/policies/support/chain.ts';
import { exactPayment } from '../../test/policies/support/exactPayment.ts';
import { balancesOf, openPayer, openSeller } from '../../test/support/accounts.ts';
import { type LocalStack, startLocalStack } from '../../test/support/localStack.ts';
import { USDC } from '../../test/support/payment.ts';
import type { Contender } from './governedAccount.ts';
import { address } from './values.ts';

/** Atomic units of one USDC. */
const ONE = 10_000_000n;
const AMOUNT = ONE / 10n;
const LIMIT = 10n * ONE;
/** A balance above the limit, so that only the limit can refuse a payment. */
const FUNDS = 20n * ONE;
/**
 * Maximum stroops that a payment offers and the facilitator pays; with its own ceiling, it would refuse the most expensive
 * ones.
 */
const CEILING = 5_000_000;
/** The reported payments, out of those that an account makes one after the other. */
export const TURNS: readonly number[] = [1, 2, 3, 50];
export interface PaymentFigures {
  readonly protocol: SupportedProtocol;
  readonly contender: string;
  readonly turn: number;
  /** From the simulation, with its margin. */
  readonly instructions: number;
  /** From the simulation, in stroops. */
  readonly resourceFee: bigint;
  /** Amount charged to the sponsor on the ledger, in stroops. */
  readonly charged: bigint;
  readonly entriesRead: number;
  readonly entriesWritten: number;
  readonly bytesWritten: number;
}

/** Lets an account pay repeatedly under its limit, on a separate network, until it is refused. */
export async function measure(
  contender: Contender,
  protocol: SupportedProtocol,
): Promise<PaymentFigures[]> {
  const stack = await startLocalStack({ maxTxFeeStroops: BigInt(CEILING) }, { protocol });
  try {
    const figures = await payments(contender, stack);
    return figures.map((of) => ({ ...of, protocol }));
  } finally {
    await stack.close();
  }
}

async function payments(
  contender: Contender,
  stack: LocalStack,
): Promise<Omit<PaymentFigures, 'protocol'>[]> {
  const funder = await openPayer(stack, FUNDS);
  const seller = await openSeller(stack);
  const chain = new Chain(stack, funder);
  const account = await contender.open(chain, LIMIT);
  await chain.call(USDC, 'transfer', [address(funder.address), address(account.id), toI128(FUNDS)]);
  const sponsor = async () => (await balancesOf(stack, stack.ledger.accounts.sponsor.address)).xlm;
  const sign = (amount: bigint) =>
    exactPayment(
      chain,
      { from: account.id, payTo: seller.address, amount, fee: CEILING },
      account.byAgent,
    );

  const figures: Omit<PaymentFigures, 'protocol'>[] = [];
  const last = Math.max(...TURNS);
  for (let turn = 1; turn <= last; turn++) {
    const payment = await sign(AMOUNT);
    const { instructions, resourceFee, resources } = await chain.costOf(payment);
    const before = await sponsor();
    await settle(stack, payment);
    if (!TURNS.includes(turn)) continue;
    const { readOnly, readWrite } = resources.footprint;
    figures.push({
      contender: contender.name,
      turn,
      instructions,
      resourceFee,
      charged: before - (await sponsor()),
      entriesRead: readOnly.length,
      entriesWritten: readWrite.length,
      bytesWritten: resources.writeBytes,
    });
  }

  // A limit that never refuses would cost nothing.
  const left = LIMIT - BigInt(last) * AMOUNT;
  await chain.costOf(await sign(left));
  const refused = await chain.costOf(await sign(left + 1n)).then(
    () => false,
    (error: unknown) => error instanceof Refused,
  );
  if (!refused) throw new Error(`${contender.name} pays more than its limit`);
  return figures;
}

async function settle(stack: LocalStack, payment: object): Promise<void> {
  const response = await fetch(`${stack.facilitator.url}/settle`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payment),
  });
  const { success, errorMessage } = (await response.json()) as Record<string, unknown>;
  if (success !== true) throw new Error(`not settled: ${String(errorMessage)}`);
}
