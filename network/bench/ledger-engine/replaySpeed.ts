import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Statistics, statistics } from '../../../bench/statistics.ts';
import { networkIdOf } from '../../src/genesis/index.ts';
import { closedLedgers, replayFiles } from '../../src/replay/replayFiles.ts';
import { type ReplayOptions, replayLedgers } from '../../src/replay/replayLedgers.ts';
import { createSignatureVerifier } from '../../src/transaction/index.ts';
import { BenchNetwork } from './benchNetwork.ts';

/** Ledgers closed by the reference implementation, if they are beside the checkout. */
const VECTORS = fileURLToPath(
  new URL('../../../../shared/ledger-vectors/protocol-27', import.meta.url),
);
const PASSPHRASE = '(V) (;,,;) (V)';
const LATER_PASSES = 4;

export interface ReplaySpeed {
  readonly files: number;
  readonly ledgers: number;
  readonly transactions: number;
  /** Seconds of the first run, when nothing is compiled yet. */
  readonly first: number;
  /** Seconds of the later runs. */
  readonly later: Statistics;
}

/** Reads, applies and compares all recorded ledgers several times; null if there are none. */
export async function measureReplay(): Promise<ReplaySpeed | null> {
  if (!existsSync(VECTORS)) return null;
  const host = await BenchNetwork.host('all');
  const passes = Array.from({ length: 1 + LATER_PASSES }, () => pass(host));
  const [first] = passes;
  if (first === undefined) return null;
  const later = passes.slice(1).map(({ seconds }) => seconds);
  return { ...first, first: first.seconds, later: statistics(later) };
}

function pass(host: ReplayOptions['host']): Omit<ReplaySpeed, 'first' | 'later'> & {
  readonly seconds: number;
} {
  const begin = performance.now();
  const options: ReplayOptions = {
    networkId: networkIdOf(PASSPHRASE),
    host,
    verify: createSignatureVerifier(),
    compareDiagnostics: true,
  };
  let ledgers = 0;
  let transactions = 0;
  const files = replayFiles([VECTORS]);
  for (const { path } of files) {
    for (const verdict of replayLedgers([...closedLedgers(readFileSync(path))], options)) {
      if (verdict.difference !== undefined) throw new Error(`${path} does not reproduce.`);
      ledgers += 1;
      transactions += verdict.transactions;
    }
  }
  const seconds = (performance.now() - begin) / 1_000;
  return { files: files.length, ledgers, transactions, seconds };
}
