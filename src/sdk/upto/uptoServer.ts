import {
  parseDecimalAmount,
  STELLAR_DECIMALS,
  STELLAR_TESTNET,
  USDC_CONTRACT,
} from '../../protocol/index.ts';
import {
  type AssetAmount,
  addFeeCeiling,
  type Network,
  type Price,
  type Requirements,
  type SupportedKind,
} from '../seller/index.ts';

const DOLLARS = /^\$?\s*(\d+(?:\.\d+)?)(?:\s*(?:USD|USDC))?$/i;

export interface UptoServerOptions {
  /** The settlement contract that buyers sign for; the facilitator's if undefined. */
  readonly contract?: string;
}

function dollars(price: string | number): string {
  const text = typeof price === 'number' ? price.toString() : price.trim();
  const amount = parseDecimalAmount(DOLLARS.exec(text)?.[1] ?? '');
  if (amount === undefined) {
    throw new RangeError(
      `${price} is not a price: write dollars with at most ${STELLAR_DECIMALS} decimal places.`,
    );
  }
  return amount.toString();
}

/**
 * Scheme `upto` for the `x402ResourceServer` of `@x402/core` (experimental):
 * `new x402ResourceServer(client).register('stellar:testnet', new UptoStellarServer())`.
 *
 * The price of a route is the ceiling. A route sets the used amount with
 * `setSettlementOverrides(res, { amount })`; otherwise it settles the ceiling.
 * @example with the published packages
 * ```ts
 * import { HTTPFacilitatorClient, x402ResourceServer } from '@x402/core/server';
 * import { UptoStellarServer } from 'svc-x402/upto';
 *
 * const facilitator = new HTTPFacilitatorClient({ url: 'http://127.0.0.1:4021' });
 * const server = new x402ResourceServer(facilitator).register('stellar:testnet', new UptoStellarServer());
 * await server.initialize();
 * const [terms] = await server.buildPaymentRequirements({
 *   scheme: 'upto',
 *   network: 'stellar:testnet',
 *   payTo: seller,
 *   price: '0.01 USDC', // the ceiling
 * });
 * console.log(terms?.amount); // 100000
 * ```
 */
export class UptoStellarServer {
  readonly scheme = 'upto';
  /** Required by `@x402/core` from 2.22 on: how the asset moves. There is only one way here. */
  readonly defaultAssetTransferMethod = 'default';
  readonly paymentFlows: {
    default: { default: 'authorization'; supported: 'authorization'[] };
  } = { default: { default: 'authorization', supported: ['authorization'] } };
  readonly #contract: string | undefined;

  constructor({ contract }: UptoServerOptions = {}) {
    this.#contract = contract;
  }

  /** Reads a price: dollars become testnet USDC, an amount of an asset is unchanged. */
  async parsePrice(price: Price, network: Network): Promise<AssetAmount> {
    if (network !== STELLAR_TESTNET) throw new RangeError(`${network} is not served.`);
    if (typeof price === 'object') {
      const { asset, amount, extra = {} } = price;
      return { asset, amount, extra };
    }
    return { asset: USDC_CONTRACT, amount: dollars(price), extra: {} };
  }

  /** Returns the decimal places of an asset, which `setSettlementOverrides` uses to read dollars. */
  getAssetDecimals(_asset: string, _network: Network): number {
    return STELLAR_DECIMALS;
  }

  /**
   * Completes the terms from the facilitator's `/supported`: that it pays the fees, its fee ceiling, and the
   * contract that settles.
   * @throws Error if the facilitator settles with another contract than the configured one
   */
  async enhancePaymentRequirements(
    requirements: Requirements,
    kind: SupportedKind,
    _extensions: string[],
  ): Promise<Requirements> {
    const problem = this.validateFacilitatorSupport(requirements.network, kind);
    if (problem !== undefined) throw new Error(problem);
    const { areFeesSponsored, uptoContract } = kind.extra ?? {};
    const extra = { ...requirements.extra, areFeesSponsored, uptoContract };
    return addFeeCeiling({ ...requirements, extra }, kind);
  }

  /** Returns the facilitator's problem with this scheme as text; `undefined` if there is none. */
  validateFacilitatorSupport(_network: Network, kind: SupportedKind): string | undefined {
    const contract = kind.extra?.['uptoContract'];
    if (typeof contract !== 'string') return 'The facilitator names no upto contract.';
    if (this.#contract !== undefined && contract !== this.#contract) {
      return `The facilitator settles upto with ${contract}, not with ${this.#contract}.`;
    }
    return undefined;
  }
}
