import { type Statistics, statistics } from '../../../bench/statistics.ts';
import { LocalKey } from '../../src/genesis/index.ts';
import { BenchNetwork } from './benchNetwork.ts';
import { payment, Sender } from './benchTransaction.ts';

const PAYMENTS = 1_000;
const WARM_UP = 3;
const ROUNDS = 10;
const BALANCE = 100_000_000_000n;

export interface FullLedger {
  /** Milliseconds to decode, check and queue all of them. */
  readonly submit: Statistics;
  /** Milliseconds to choose, apply, record and store them. */
  readonly close: Statistics;
}

/** A thousand accounts pay each other, all in one ledger. */
export async function measureFullLedger(): Promise<FullLedger> {
  const senders = Array.from({ length: PAYMENTS }, (_, at) => newSender(`payer ${at}`));
  const network = await BenchNetwork.open(senders.map((sender) => sender.account(BALANCE)));
  const submit: number[] = [];
  const close: number[] = [];
  for (let round = 0; round < WARM_UP + ROUNDS; round += 1) {
    const envelopes = senders.map((sender, at) =>
      sender.sign([payment(senders.at(at - 1) ?? sender, 1n)]),
    );
    const begin = performance.now();
    for (const envelope of envelopes) network.submit(envelope);
    const submitted = performance.now();
    network.close(PAYMENTS);
    const closed = performance.now();
    if (round < WARM_UP) continue;
    submit.push(submitted - begin);
    close.push(closed - submitted);
  }
  return { submit: statistics(submit), close: statistics(close) };
}

export function newSender(name: string): Sender {
  return new Sender(LocalKey.derive('bench', name));
}
