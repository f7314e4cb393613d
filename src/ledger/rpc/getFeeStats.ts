import { inclusionFees } from '../history/index.ts';
import { feeDistribution } from './feeDistribution.ts';
import { LIMITS } from './limits.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

export function getFeeStats({ service: { history } }: RpcNetwork): unknown {
  const soroban = inclusionFees(history, LIMITS.sorobanFeeLedgers);
  const classic = inclusionFees(history, LIMITS.classicFeeLedgers);
  return {
    sorobanInclusionFee: feeDistribution(soroban.soroban, soroban.ledgerCount),
    inclusionFee: feeDistribution(classic.classic, classic.ledgerCount),
    latestLedger: history.latestSequence,
  };
}
