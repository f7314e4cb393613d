import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { xdr } from '@stellar/stellar-sdk';
import { readSnapshot, writeSnapshot } from '../../src/ledger/persistence/snapshot.ts';
import { accountKeyId, type LedgerKeyId, type LedgerState } from '../../src/ledger/state/index.ts';
import { type Statistics, statistics } from '../statistics.ts';
import { BenchNetwork, putEntry } from './benchNetwork.ts';
import { payment, plainAccount, type Sender } from './benchTransaction.ts';
import { newSender } from './payments.ts';

const PAYERS = 100;
const WARM_UP = 3;
const ROUNDS = 10;
const LOOKUPS = 1_000;
const BALANCE = 100_000_000_000n;

/** What a state of some size costs. */
export interface StateCost {
  readonly accounts: number;
  /** Resident megabytes of the process with the network, read from a snapshot. */
  readonly memory: number;
  /** Megabytes of the snapshot. */
  readonly snapshot: number;
  /** Milliseconds to write it. */
  readonly write: number;
  /** Milliseconds from the snapshot to a network that takes transactions. */
  readonly start: number;
  /** Microseconds to find an account that was not read before. */
  readonly firstLookup: Statistics;
  /** Microseconds to find it again. */
  readonly lookup: Statistics;
  /** Milliseconds of a payment that is alone in its ledger: decode, check, apply, close. */
  readonly payment: Statistics;
}

/** Measures it in this process, which should do nothing else before. Needs `--expose-gc`. */
export async function measureState(accounts: number): Promise<StateCost> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-x402-bench-'));
  try {
    const senders = Array.from({ length: PAYERS }, (_, at) => newSender(`payer ${at}`));
    const { size, write } = prepare(folder, accounts, senders);
    const host = await BenchNetwork.host();
    collectGarbage();
    const begin = performance.now();
    const state = readSnapshot(folder)?.state ?? missing();
    const network = new BenchNetwork(state, host);
    const start = performance.now() - begin;
    collectGarbage();
    return {
      accounts,
      memory: process.memoryUsage().rss / 1e6,
      snapshot: size / 1e6,
      write,
      start,
      ...lookUp(state, accounts),
      payment: pay(network, senders),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function prepare(
  folder: string,
  accounts: number,
  senders: readonly Sender[],
): { readonly size: number; readonly write: number } {
  const state = BenchNetwork.genesis();
  for (const sender of senders) putEntry(state, sender.account(BALANCE));
  for (let at = senders.length; at < accounts; at += 1) {
    putEntry(state, plainAccount(idOf(at), BALANCE));
  }
  const begin = performance.now();
  const size = writeSnapshot(folder, state);
  return { size, write: performance.now() - begin };
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

function pay(network: BenchNetwork, senders: readonly Sender[]): Statistics {
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

/** An account of nobody. */
function idOf(number: number): xdr.PublicKey {
  return xdr.PublicKey.publicKeyTypeEd25519(
    createHash('sha256').update(`account ${number}`).digest(),
  );
}

function collectGarbage(): void {
  if (globalThis.gc === undefined) throw new Error('Run this with --expose-gc.');
  globalThis.gc();
}

function missing(): never {
  throw new Error('What was written is not there.');
}
