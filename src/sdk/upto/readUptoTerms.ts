import {
  type ContractAddress,
  parseAtomicAmount,
  parseContractAddress,
  parseStellarAddress,
  STELLAR_TESTNET,
  type StellarAddress,
} from '../../protocol/index.ts';
import { InvalidRequirementsError, NoUsablePaymentOptionError } from '../exact/index.ts';
import type { Requirements } from '../seller/index.ts';

/** The seller's parsed terms under `upto`. */
export interface AskedTerms {
  readonly contract: ContractAddress;
  readonly token: ContractAddress;
  readonly to: StellarAddress;
  readonly ceiling: bigint;
  readonly maxTimeoutSeconds: number;
}

function malformed(what: string): InvalidRequirementsError {
  return new InvalidRequirementsError(`The seller's terms are malformed: ${what}.`);
}

/**
 * Reads the terms of an option of scheme `upto`.
 * @throws NoUsablePaymentOptionError for unsupported terms, InvalidRequirementsError for malformed terms
 */
export function readUptoTerms(requirements: Requirements): AskedTerms {
  const { scheme, network, extra, maxTimeoutSeconds } = requirements;
  if (scheme !== 'upto') {
    throw new NoUsablePaymentOptionError('scheme', `This pays upto, not ${scheme}.`);
  }
  if (network !== STELLAR_TESTNET) {
    throw new NoUsablePaymentOptionError('network', `This pays on ${STELLAR_TESTNET} only.`);
  }
  if (extra['areFeesSponsored'] !== true) {
    throw new NoUsablePaymentOptionError(
      'fees_not_sponsored',
      "The seller's facilitator does not declare that it pays the network fee.",
    );
  }
  const contract = parseContractAddress(String(extra['uptoContract'] ?? ''));
  if (contract === undefined) throw malformed('extra.uptoContract is not a contract');
  const token = parseContractAddress(requirements.asset);
  if (token === undefined) throw malformed(`asset ${requirements.asset} is not a contract`);
  const to = parseStellarAddress(requirements.payTo);
  if (to === undefined) throw malformed(`payTo ${requirements.payTo} is not a Stellar address`);
  const ceiling = parseAtomicAmount(requirements.amount);
  if (ceiling === undefined || ceiling === 0n) {
    throw malformed(`amount ${requirements.amount} is not a ceiling in atomic units`);
  }
  if (!(maxTimeoutSeconds > 0)) throw malformed(`maxTimeoutSeconds is ${maxTimeoutSeconds}`);
  return { contract, token, to, ceiling, maxTimeoutSeconds };
}
