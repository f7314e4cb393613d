import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { SettleOutcome, VerifyOutcome } from '../../src/server/facilitator/index.ts';
import { SimulationFault, type SimWorld } from './simWorld.ts';

/** One authorization of a simulated buyer, and what was said of it. */
export interface SimAuthorization {
  readonly key: string;
  readonly request: FacilitatorRequest;
  /** An answer said that it was never submitted. */
  neverSubmitted: boolean;
  /** Hash under which an answer said that it settled. */
  settledAs: string | undefined;
  /** Hash under which an answer said that it failed. */
  failedAs: string | undefined;
}

export interface SimPurchase {
  readonly authorizations: SimAuthorization[];
  done: boolean;
}

/** The service as buyers reach it; `undefined` when no answer comes. */
export interface SimService {
  verify(request: FacilitatorRequest): Promise<VerifyOutcome | undefined>;
  /** @param to asks only while the process runs that answered last */
  settle(request: FacilitatorRequest, to?: 'same process'): Promise<SettleOutcome | undefined>;
}

const MOST_SIGNATURES = 4;
/** Codes of refusals that say nothing about the payment: the same one is presented again. */
const AGAIN = new Set(['store_unavailable']);

/**
 * Buys once, by the rules that sellers' clients follow: the identical request again while nothing is
 * known or it can still pay, a new signature only after an answer that the last one never can.
 */
export async function simBuy(
  purchase: SimPurchase,
  sign: () => SimAuthorization,
  service: SimService,
  world: SimWorld,
  wait: (ms: number) => Promise<void>,
): Promise<void> {
  const { random } = world;
  while (purchase.authorizations.length < MOST_SIGNATURES) {
    const authorization = sign();
    purchase.authorizations.push(authorization);
    const { key, request } = authorization;
    const name = key.slice(key.indexOf(':') + 1);
    if (random.chance(0.4)) {
      const verified = await service.verify(request);
      world.note(`verify ${name}: ${verified?.status ?? 'no answer'}`);
      if (verified?.status === 'invalid' && verified.rejection.code === 'authorization_replayed') {
        throw new SimulationFault(`${name} was never presented and is said to be replayed`);
      }
    }
    for (;;) {
      const outcome = await service.settle(request);
      const code = outcome && 'rejection' in outcome ? outcome.rejection.code : '';
      world.note(`settle ${name}: ${outcome?.status ?? 'no answer'} ${code}`);
      if (outcome?.status === 'settled') {
        authorization.settledAs = outcome.hash;
        // While the process that gave the outcome is alive, nobody gets it twice.
        if (random.chance(0.3)) {
          const again = await service.settle(request, 'same process');
          if (again?.status === 'settled')
            throw new SimulationFault(`${name} got the outcome twice`);
        }
        purchase.done = true;
        return;
      }
      const money = outcome?.rejection.known?.moneyMoved;
      // It can still pay: only the same one may be presented.
      const isOpen = money === 'not_yet' || money === 'unknown';
      if (outcome?.status === 'failed' && !isOpen) {
        authorization.failedAs = outcome.hash;
        break;
      }
      if (outcome === undefined || outcome.status === 'pending' || isOpen || AGAIN.has(code)) {
        await wait(50 + random.below(2_000));
        continue;
      }
      if (code === 'authorization_replayed' && money === 'yes') {
        throw new SimulationFault(`${name}: an identical request was refused as a replay`);
      }
      authorization.neverSubmitted = true;
      break;
    }
  }
  purchase.done = true;
}
