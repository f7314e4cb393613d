import { inclusionFees } from '../history/index.ts';
import { type RangeFieldsAsText, rangeFieldsAsText } from './ledgerRange.ts';
import { LIMITS } from './limits.ts';
import { RpcError } from './rpcError.ts';
import type { RpcNetwork } from './rpcNetwork.ts';

/** Result of `getHealth`, as in the published OpenRPC document: close times are strings. */
interface HealthResult extends RangeFieldsAsText {
  readonly status: 'healthy';
  readonly ledgerRetentionWindow: number;
}

/**
 * Healthy while ledgers are stored: this network has one node, so it is never behind another.
 * @throws RpcError if the newest ledger could not be stored, as Stellar RPC does if its ledgers are too old
 */
export function getHealth({ service, retainedLedgers }: RpcNetwork): HealthResult {
  if (service.fault !== undefined) throw new RpcError('internal', service.fault.message);
  return {
    status: 'healthy',
    ...rangeFieldsAsText(service.history),
    ledgerRetentionWindow: retainedLedgers,
  };
}

/** Result of `getNetwork`. */
interface NetworkResult {
  /** Absent if the network has none. */
  readonly friendbotUrl?: string;
  readonly passphrase: string;
  readonly protocolVersion: number;
}

export function getNetwork({ service, passphrase, friendbotUrl }: RpcNetwork): NetworkResult {
  return {
    ...(friendbotUrl === null ? {} : { friendbotUrl }),
    passphrase,
    protocolVersion: service.engine.state.header.ledgerVersion,
  };
}

/** The versions of Stellar RPC whose results are reproduced, by protocol. */
const RPC_VERSIONS: ReadonlyMap<number, string> = new Map([
  [27, '27.1.0'],
  [28, '28.0.0'],
]);
const PROGRAM = 'svc-x402';

/** Result of `getVersionInfo`. */
interface VersionInfoResult {
  readonly version: string;
  readonly commitHash: string;
  readonly buildTimestamp: string;
  readonly captiveCoreVersion: string;
  readonly protocolVersion: number;
}

/**
 * There is neither a captive core nor a commit of Stellar RPC: the version names this program, and the truncated SHA-256 of the
 * Soroban host replaces the commit.
 */
export function getVersionInfo({ service, hostDigest }: RpcNetwork): VersionInfoResult {
  const { ledgerVersion } = service.engine.state.header;
  return {
    version: `${RPC_VERSIONS.get(ledgerVersion) ?? `${ledgerVersion}.0.0`}-${PROGRAM}`,
    commitHash: hostDigest(),
    buildTimestamp: '',
    captiveCoreVersion: `${PROGRAM} embedded ledger`,
    protocolVersion: ledgerVersion,
  };
}

/** Result of `getFeeStats`. */
interface FeeStatsResult {
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

/** All numbers are strings except the count of ledgers. */
interface FeeDistribution {
  readonly max: string;
  readonly min: string;
  readonly mode: string;
  readonly p10: string;
  readonly p20: string;
  readonly p30: string;
  readonly p40: string;
  readonly p50: string;
  readonly p60: string;
  readonly p70: string;
  readonly p80: string;
  readonly p90: string;
  readonly p95: string;
  readonly p99: string;
  readonly transactionCount: string;
  readonly ledgerCount: number;
}

/** Returns the distribution of fees in the form of getFeeStats, with numbers as text (stellar-rpc `internal/feewindow`). */
function feeDistribution(fees: readonly bigint[], ledgerCount: number): FeeDistribution {
  const sorted = [...fees].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  const at = (index: number): string => String(sorted[index] ?? 0n);
  // Nearest-rank method.
  const percentile = (p: number): string => at(Math.ceil((p * sorted.length) / 100) - 1);
  return {
    max: at(sorted.length - 1),
    min: at(0),
    mode: String(modeOf(sorted)),
    p10: percentile(10),
    p20: percentile(20),
    p30: percentile(30),
    p40: percentile(40),
    p50: percentile(50),
    p60: percentile(60),
    p70: percentile(70),
    p80: percentile(80),
    p90: percentile(90),
    p95: percentile(95),
    p99: percentile(99),
    transactionCount: String(sorted.length),
    ledgerCount: sorted.length === 0 ? 0 : ledgerCount,
  };
}

/** The most frequent value; the smallest if there are several. */
function modeOf(sorted: readonly bigint[]): bigint {
  let mode = 0n;
  let most = 0;
  let count = 0;
  for (const [at, fee] of sorted.entries()) {
    count = fee === sorted[at - 1] ? count + 1 : 1;
    if (count > most) {
      most = count;
      mode = fee;
    }
  }
  return mode;
}
