import type { Claim } from '../helpers/truth/claim.ts';
import type { Circumstance } from './circumstances.ts';
import type { ModelLedger } from './modelLedger.ts';
import type { SimAuthorization } from './simRecords.ts';
import { SimulationFault, type SimWorld } from './simWorld.ts';

export interface SimPurchase {
  readonly name: string;
  readonly authorizations: SimAuthorization[];
  done: boolean;
}

export interface SettleClaim extends Claim {
  /** Whether the identical request may get another answer later. */
  readonly isTemporary: boolean;
}

/** The service as sellers reach it; `undefined` when no answer comes, or one that says nothing of money. */
export interface SimService {
  verify(authorization: SimAuthorization): Promise<Claim | undefined>;
  /** @param to asks only while the process runs that answered last */
  settle(authorization: SimAuthorization, to?: 'same process'): Promise<SettleClaim | undefined>;
}

export interface SimMarket {
  readonly circumstance: Circumstance;
  readonly service: SimService;
  readonly world: SimWorld;
  readonly ledger: ModelLedger;
  /** Signs a payment; `again` is one whose nonce it gets, with a later expiration. */
  sign(purchase: SimPurchase, again?: SimAuthorization): SimAuthorization;
}

const MAX_SIGNATURES = 4;
/** Ledgers after the expiration of a payment when a client that learned nothing of it gives up. */
const PATIENCE_LEDGERS = 30;

const wait = (world: SimWorld, ms: number) =>
  new Promise<void>((resolve) => {
    world.after(ms, resolve);
  });

/** Somebody else sends the payment's operation, once or twice, before or after its expiration. */
function sendElsewhere(
  { request }: SimAuthorization,
  { circumstance, world, ledger }: SimMarket,
): void {
  const { random } = world;
  for (let left = random.chance(0.3) ? 2 : 1; left > 0; left--) {
    world.after(random.below(random.pick([2_000, 30_000, 200_000])), () => {
      world.note('somebody else sends a payment');
      const { transaction } = request.paymentPayload.payload as { readonly transaction: string };
      ledger.submitAs(circumstance.seller, transaction);
    });
  }
}

/** @returns whether the purchase is over; otherwise the buyer signs another payment */
async function present(authorization: SimAuthorization, market: SimMarket): Promise<boolean> {
  const { circumstance, service, world, ledger } = market;
  const { random } = world;
  const { isComplete, leaves } = circumstance;
  const { id, expirationLedger } = authorization;
  if (random.chance(0.4)) {
    const verified = await service.verify(authorization);
    if (verified?.money === 'yes' && isComplete) {
      throw new SimulationFault(`${id} was never presented and is said to be replayed`);
    }
  }
  if (random.chance(circumstance.sentElsewhere)) sendElsewhere(authorization, market);
  while (ledger.ledger <= expirationLedger + PATIENCE_LEDGERS) {
    const claim = await service.settle(authorization);
    if (claim?.sale) {
      // While the process that gave the outcome is alive, nobody gets it twice.
      if (random.chance(0.3)) await service.settle(authorization, 'same process');
      return true;
    }
    if (claim?.money === 'yes' && !claim.isTemporary) {
      if (isComplete) throw new SimulationFault(`${id}: an identical request was refused`);
      return true;
    }
    // Nothing else lets a buyer sign again: it was paid by nobody, and nobody can be paid by it.
    if (claim?.money === 'no' || claim?.money === 'fees') return false;
    if (random.chance(leaves.chance * leaves.forGood)) return true;
    await wait(world, 50 + random.below(claim?.money === 'not_yet' ? 10_000 : 2_000));
  }
  return true;
}

/**
 * Buys once, by the rules that sellers' clients follow: the identical request again while the payment is open or unknown,
 * another payment only after an answer that this one never pays.
 */
export async function simBuy(purchase: SimPurchase, market: SimMarket): Promise<void> {
  const { circumstance, world } = market;
  while (purchase.authorizations.length < MAX_SIGNATURES) {
    const authorization = market.sign(purchase);
    let presented: Promise<boolean> = present(authorization, market);
    if (world.random.chance(circumstance.signedAgain)) {
      await wait(world, world.random.below(world.random.pick([1_000, 20_000, 300_000])));
      const again = present(market.sign(purchase, authorization), market);
      presented = Promise.all([presented, again]).then((over) => over.some(Boolean));
    }
    if (await presented) break;
  }
  purchase.done = true;
}
