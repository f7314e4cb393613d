import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';
import type { Authorization } from '../faults/buyer.ts';
import type { Random } from '../helpers/random.ts';
import { discoverable } from '../support/discoverable.ts';
import { freshPayment } from '../support/freshPayment.ts';
import type { TestKey } from '../support/payer.ts';
import { STRANGER } from '../support/payment.ts';
import { freshUpto } from '../upto/uptoPayment.ts';
import type { SoakWorld } from './world.ts';

/** Ledgers that an authorization lasts: some minutes, however fast ledgers close here. */
const LASTS = 700;
const RESOURCES = 20;
const FIRST_AMOUNT = 1_000n;

/** Who buys what from whom. */
export interface Sale {
  readonly buyer: TestKey;
  readonly seller: TestKey;
  readonly resource: string;
}

/** Why a payment is invalid. */
const FLAWS = ['stranger', 'expired', 'less', 'unsigned'] as const;

/** Signs the payments of the soak. No two have the same amount, so that a transfer identifies its buyer. */
export class Payments {
  readonly #world: SoakWorld;
  readonly #random: Random;
  #signed = 0;
  #buyer = 0;

  constructor(world: SoakWorld, random: Random) {
    this.#world = world;
    this.#random = random;
  }

  get signed(): number {
    return this.#signed;
  }

  /** The next buyer's turn, at one of the resources; each resource has one seller. */
  nextSale(): Sale {
    const { buyers, sellers } = this.#world;
    const number = this.#random.below(RESOURCES);
    const buyer = buyers[this.#buyer++ % buyers.length];
    const seller = sellers[number % sellers.length];
    if (buyer === undefined || seller === undefined) throw new RangeError('nobody is there');
    return { buyer, seller, resource: `http://127.0.0.1:9/soak/${number}` };
  }

  async exact({ buyer, seller, resource }: Sale): Promise<Authorization> {
    const amount = this.#nextAmount();
    const request = await freshPayment(this.#world.local, buyer, seller, {
      amount,
      entry: { expirationLedger: await this.#expiration() },
      requirements: { amount: `${amount}`, maxTimeoutSeconds: 3_600 },
    });
    return { amount, request: discoverable(request, resource) };
  }

  /** A ceiling of twice what is charged; the ledger shows what is charged. */
  async upto({ buyer, seller, resource }: Sale): Promise<Authorization> {
    const amount = this.#nextAmount();
    const request = await freshUpto(this.#world.local, buyer, seller, {
      terms: { maxAmount: 2n * amount, expirationLedger: await this.#expiration() },
      requirements: { maxTimeoutSeconds: 3_600 },
      extra: { actualAmount: `${amount}` },
    });
    return { amount, request: discoverable(request, resource) };
  }

  /** A payment that no facilitator may accept. */
  async invalid({ buyer, seller }: Sale): Promise<FacilitatorRequest> {
    const amount = this.#nextAmount();
    const { local } = this.#world;
    const latest = await local.network.getLatestLedger();
    const right = { expirationLedger: latest + LASTS };
    const requirements = { amount: `${amount}`, maxTimeoutSeconds: 3_600 };
    switch (this.#random.pick(FLAWS)) {
      case 'stranger':
        return freshPayment(local, buyer, seller, {
          ...{ amount, requirements, entry: { ...right, signer: STRANGER } },
        });
      case 'expired':
        return freshPayment(local, buyer, seller, {
          ...{ amount, requirements, entry: { expirationLedger: latest - 1 } },
        });
      case 'less':
        return freshPayment(local, buyer, seller, {
          ...{ amount: amount - 1n, requirements, entry: right },
        });
      case 'unsigned':
        return freshPayment(local, buyer, seller, {
          ...{ amount, requirements, entry: { ...right, signer: null } },
        });
    }
  }

  // In steps of two, since one unit less than what is asked is a payment of another amount.
  #nextAmount(): bigint {
    return FIRST_AMOUNT + 2n * BigInt(this.#signed++);
  }

  async #expiration(): Promise<number> {
    return (await this.#world.local.network.getLatestLedger()) + LASTS;
  }
}
