import {
  type AtomicAmount,
  type ContractAddress,
  parseAtomicAmount,
  parseContractAddress,
  parseStellarAddress,
  type StellarAddress,
} from '../../protocol/index.ts';
import type { Challenge, OfferedOption } from './challenge.ts';
import {
  DisallowedAssetError,
  InvalidRequirementsError,
  MaxAmountExceededError,
  NoUsablePaymentOptionError,
} from './errors.ts';

/** An option that can be paid, parsed and as the seller wrote it. */
export interface PaymentOption {
  readonly asset: ContractAddress;
  readonly amount: AtomicAmount;
  readonly payTo: StellarAddress;
  readonly maxTimeoutSeconds: number;
  readonly offered: OfferedOption;
}

/** Limits on payments. */
export interface PaymentLimits {
  /** CAIP-2 id of the only network to pay on. */
  readonly network: string;
  /** Maximum price of one request in atomic units. */
  readonly maxAmount?: bigint | undefined;
  /** Token contracts to pay with; all if undefined. */
  readonly allowedAssets?: readonly string[] | undefined;
}

const SCHEME = 'exact';
const MAX_TIMEOUT_SECONDS = 86_400;

/**
 * Chooses the first option, in the seller's order, that the limits allow
 * (spec: SDK wallet handle; option selection needs scheme, network and `areFeesSponsored: true`).
 * @throws NoUsablePaymentOptionError, DisallowedAssetError, InvalidRequirementsError or
 *   MaxAmountExceededError, checked in this order
 */
export function choosePaymentOption(challenge: Challenge, limits: PaymentLimits): PaymentOption {
  const usable = usableOptions(challenge, limits.network);
  const { allowedAssets, maxAmount } = limits;
  const allowed = usable.filter(({ asset }) => allowedAssets?.includes(asset) ?? true);
  if (allowed.length === 0) throw new DisallowedAssetError(usable.map(({ asset }) => asset));

  const read = allowed.map(readOption);
  const options = read.filter((option): option is PaymentOption => typeof option !== 'string');
  const [first] = options;
  if (first === undefined) {
    throw new InvalidRequirementsError(`The seller's terms are malformed: ${read[0]}.`);
  }
  const affordable = options.find(({ amount }) => maxAmount === undefined || amount <= maxAmount);
  if (affordable === undefined) {
    const [least = first.amount] = options.map((option) => option.amount).sort(ascending);
    throw new MaxAmountExceededError(least, maxAmount ?? 0n);
  }
  return affordable;
}

function ascending(a: bigint, b: bigint): number {
  return a < b ? -1 : Number(a > b);
}

function usableOptions({ options, malformed }: Challenge, network: string): OfferedOption[] {
  const list = (values: string[]) => [...new Set(values)].join(', ');
  if (options.length === 0) {
    if (malformed > 0) throw new InvalidRequirementsError("The seller's terms are malformed.");
    throw new NoUsablePaymentOptionError('no_options', 'The seller offers no way to pay.');
  }
  const here = options.filter((option) => option.network === network);
  if (here.length === 0) {
    throw new NoUsablePaymentOptionError(
      'network',
      `The seller is paid on ${list(options.map((option) => option.network))}, not on ${network}.`,
    );
  }
  const exact = here.filter(({ scheme }) => scheme === SCHEME);
  if (exact.length === 0) {
    throw new NoUsablePaymentOptionError(
      'scheme',
      `The seller accepts only payments with scheme ${list(here.map(({ scheme }) => scheme))}.`,
    );
  }
  const sponsored = exact.filter(({ extra }) => extra?.['areFeesSponsored'] === true);
  if (sponsored.length === 0) {
    throw new NoUsablePaymentOptionError(
      'fees_not_sponsored',
      "The seller's facilitator does not declare that it pays the network fee.",
    );
  }
  return sponsored;
}

/** Returns the option with its values parsed, or a description of the problem. */
function readOption(offered: OfferedOption): PaymentOption | string {
  const asset = parseContractAddress(offered.asset);
  if (asset === undefined) return `asset ${offered.asset} is not a contract`;
  const amount = parseAtomicAmount(offered.amount);
  if (amount === undefined) return `amount ${offered.amount} is not a whole number of atomic units`;
  if (amount === 0n) return 'the amount is zero';
  const payTo = parseStellarAddress(offered.payTo);
  if (payTo === undefined) return `payTo ${offered.payTo} is not a Stellar address`;
  const { maxTimeoutSeconds } = offered;
  if (!(maxTimeoutSeconds > 0)) return `maxTimeoutSeconds ${maxTimeoutSeconds} is not above zero`;
  const patience = Math.min(maxTimeoutSeconds, MAX_TIMEOUT_SECONDS);
  return { asset, amount, payTo, maxTimeoutSeconds: patience, offered };
}
