import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { xdr } from '@stellar/stellar-sdk';
import { type Statistics, statistics } from '../../../bench/statistics.ts';
import { readSnapshot, writeSnapshot } from '../../src/persistence/snapshot.ts';
import { accountKeyId, type LedgerKeyId, type LedgerState } from '../../src/state/index.ts';
import { BenchNetwork, putEntry } from './benchNetwork.ts';
import { payment, plainAccount, type Sender } from './benchTransaction.ts';
import { inOwnProcess } from './ownProcess.ts';
import { newSender } from './payments.ts';

const PAYERS = 100;
const WARM_UP = 3;
const ROUNDS = 10;
const LOOKUPS = 1_000;
const BALANCE = 100_000_000_000n;

/** The cost of a state of a given size. */
export interface StateCost {
  readonly accounts: number;
  /** Resident megabytes of the process, once the network has started from a snapshot. */
  readonly memory: number;
  /** Peak memory during the start. */
  readonly peak: number;
  /** Megabytes of the snapshot. */
  readonly snapshot: number;
  /** Milliseconds to write it. */
  readonly write: number;
  /** Milliseconds from the snapshot to a network that accepts transactions. */
  readonly start: number;
  /** Microseconds to find an account for the first time. */
  readonly firstLookup: Statistics;
  /** Microseconds to find it again. */
  readonly lookup: Statistics;
  /** Milliseconds of a payment alone in its ledger: decode, check, apply, close. */
  readonly payment: Statistics;
}

/** The cost of writing a state. */
interface WrittenState {
  readonly bytes: number;
  readonly milliseconds: number;
}

/** Measures a state of this many accounts in this process, which should not have done anything else before. */
export async function measureState(accounts: number): Promise<StateCost> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));
  try {
    const written = inOwnProcess(['--write-state', folder, '--accounts', String(accounts)]);
    const { bytes, milliseconds } = written as WrittenState;
    const host = await BenchNetwork.host();
    const begin = performance.now();
    const state = readSnapshot(folder)?.state ?? missing();
    const network = new BenchNetwork(state, host);
    const start = performance.now() - begin;
    const peak = (process.resourceUsage().maxRSS * 1024) / 1e6;
    await collectGarbage();
    return {
      accounts,
      memory: process.memoryUsage().rss / 1e6,
      peak,
      snapshot: bytes / 1e6,
      write: milliseconds,
      start,
      ...lookUp(state, accounts),
      payment: pay(network),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes a snapshot of a state of this many accounts. */
export function writeState(folder: string, accounts: number): WrittenState {
  const state = BenchNetwork.genesis();
  for (const sender of payers()) putEntry(state, sender.account(BALANCE));
  for (let at = PAYERS; at < accounts; at += 1) putEntry(state, plainAccount(idOf(at), BALANCE));
  const begin = performance.now();
  const bytes = writeSnapshot(folder, state);
  return { bytes, milliseconds: performance.now() - begin };
}

function payers(): Sender[] {
  return Array.from({ length: PAYERS }, (_, at) => newSender(`payer ${at}`));
}

function lookUp(state: LedgerState, accounts: number): Pick<StateCost, 'firstLookup' | 'lookup'> {
  const step = Math.max(1, Math.floor((accounts - PAYERS) / LOOKUPS));
  const ids: LedgerKeyId[] = [];
  for (let at = PAYERS; at < accounts; at += step) ids.push(accountKeyId(idOf(at)));
  const look = (): Statistics => {
    const times: number[] = [];
    for (const id of ids) {
      const begin = performance.now();
      if (state.peek(id) === undefined) missing();
      times.push((performance.now() - begin) * 1_000);
    }
    return statistics(times);
  };
  return { firstLookup: look(), lookup: look() };
}

function pay(network: BenchNetwork): Statistics {
  const senders = payers();
  const times: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    for (const [at, sender] of senders.entries()) {
      const envelope = sender.sign([payment(senders.at(at - 1) ?? sender, 1n)]);
      const begin = performance.now();
      network.submit(envelope);
      network.close(1);
      if (round >= WARM_UP) times.push(performance.now() - begin);
    }
  }
  return statistics(times);
}

/** Memory outside the heap is released only the second time. */
async function collectGarbage(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** An account that nobody owns. */
function idOf(number: number): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(
    createHash('sha256').update(`account ${number}`).digest(),
  );
}

function missing(): never {
  throw new Error('The written entry is missing.');
}
