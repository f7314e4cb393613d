import { Keypair } from '@stellar/stellar-sdk';
import { type Statistics, statistics } from '../../../bench/statistics.ts';
import { WasmSorobanHost } from '../../src/host/index.ts';
import { startLedger } from '../../src/index.ts';
import { type Call, StellarPayer } from './stellarPayer.ts';

const WARM_UP = 300;
const COUNT = 1_000;

export interface EngineTimes {
  readonly name: string;
  /** Milliseconds of the complete request, from base64 to base64. */
  readonly whole: Statistics;
  /** Milliseconds of it inside the Soroban host. */
  readonly host: Statistics;
}

/** Times a USDC transfer through the engine, in this process and without a socket. */
export async function measureEngine(): Promise<readonly EngineTimes[]> {
  const inHost = watchHost();
  const ledger = await startLedger({ port: null, close: { kind: 'manual' } });
  try {
    const call: Call = (method, params) => ledger.call(method, params);
    // Only sending waits for a ledger; here, one closes with each transaction.
    const sendAndClose: Call = async (method, params) => {
      const result = await call(method, params);
      if (method === 'sendTransaction') ledger.closeLedger();
      return result;
    };
    const sponsor = await StellarPayer.of(
      sendAndClose,
      Keypair.fromSecret(ledger.accounts.sponsor.secret),
    );
    const open = () => StellarPayer.open(sendAndClose, (address) => sponsor.createAccount(address));
    const [payer, payee] = [await open(), await open()];
    const unsigned = payer.unsignedTransfer(payee.address);
    const authorized = await payer.authorizedTransfer(payee.address);
    const signed = (await payer.transfers(payee.address, WARM_UP + COUNT)).values();
    return [
      await time('simulate, recording authorization', inHost, () => payer.simulate(unsigned)),
      await time('simulate, enforcing a signature', inHost, () => payer.simulate(authorized)),
      await time('execute: check, apply, close the ledger', inHost, () =>
        payer.send(signed.next().value ?? ''),
      ),
    ];
  } finally {
    await ledger.close();
  }
}

/** Adds up the milliseconds inside the host, and returns those since the last call. */
function watchHost(): () => number {
  let spent = 0;
  const { prototype } = WasmSorobanHost;
  for (const name of ['invoke', 'simulateInvoke'] as const) {
    const original: (request: never) => unknown = prototype[name];
    Object.defineProperty(prototype, name, {
      value(this: WasmSorobanHost, request: never) {
        const begin = performance.now();
        const outcome = original.call(this, request);
        spent += performance.now() - begin;
        return outcome;
      },
    });
  }
  return () => {
    const since = spent;
    spent = 0;
    return since;
  };
}

async function time(
  name: string,
  inHost: () => number,
  run: () => Promise<unknown>,
): Promise<EngineTimes> {
  const whole: number[] = [];
  const host: number[] = [];
  for (let n = 0; n < WARM_UP + COUNT; n += 1) {
    inHost();
    const begin = performance.now();
    await run();
    const took = performance.now() - begin;
    const hostTook = inHost();
    if (n < WARM_UP) continue;
    whole.push(took);
    host.push(hostTook);
  }
  return { name, whole: statistics(whole), host: statistics(host) };
}
