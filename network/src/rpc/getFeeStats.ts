import { inclusionFees } from '../history/index.ts';
import { type FeeDistribution, feeDistribution } from './feeDistribution.ts';
import { LIMITS } from './limits.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getFeeStats`. */
export interface FeeStatsResult {
  readonly sorobanInclusionFee: FeeDistribution;
  readonly inclusionFee: FeeDistribution;
  readonly latestLedger: number;
}

export function getFeeStats({ service: { history } }: RpcNetwork): FeeStatsResult {
  const soroban = inclusionFees(history, LIMITS.sorobanFeeLedgers);
  const classic = inclusionFees(history, LIMITS.classicFeeLedgers);
  return {
    sorobanInclusionFee: feeDistribution(soroban.soroban, soroban.ledgerCount),
    inclusionFee: feeDistribution(classic.classic, classic.ledgerCount),
    latestLedger: history.latestSequence,
  };
}
