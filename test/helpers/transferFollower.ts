import * as xdr from '@stellar/stellar-sdk/xdr';
import { readI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { USDC } from '../support/payment.ts';

const PAGE = 1_000;

interface EventPage {
  readonly events: readonly {
    readonly value: string;
    readonly txHash: string;
    readonly ledger: number;
  }[];
  readonly cursor: string;
}

/**
 * The transfers of USDC in the ledger's own events: amounts, each with the hashes of the transactions
 * that moved it. Each reading continues where the last one ended.
 */
export class TransferFollower {
  readonly transfers = new Map<bigint, string[]>();
  /** Ledgers of these transactions. */
  readonly ledgers = new Map<string, number>();
  readonly #rpcUrl: string;
  readonly #filters: readonly object[];
  #from: { readonly startLedger: number } | { readonly cursor: string };

  /** @param to only transfers to this account; without it all */
  constructor(rpcUrl: string, startLedger: number, to?: string) {
    this.#rpcUrl = rpcUrl;
    this.#from = { startLedger };
    const topic = (value: xdr.ScVal) => value.toXdr('base64');
    const recipient =
      to === undefined
        ? '*'
        : topic(xdr.ScVal.scvAddress(toScAddress(to as Parameters<typeof toScAddress>[0])));
    const topics = [[topic(xdr.ScVal.scvSymbol('transfer')), '*', recipient, '*']];
    this.#filters = [{ type: 'contract', contractIds: [USDC], topics }];
  }

  /** Continues reading, up to the latest ledger. */
  async read(): Promise<void> {
    for (;;) {
      const page = await this.#page();
      for (const { value, txHash, ledger } of page.events) {
        const amount = readI128(xdr.ScVal.fromXdr(value, 'base64'));
        if (amount === undefined) continue;
        this.ledgers.set(txHash, ledger);
        this.transfers.set(amount, [...(this.transfers.get(amount) ?? []), txHash]);
      }
      this.#from = { cursor: page.cursor };
      if (page.events.length < PAGE) return;
    }
  }

  async #page(): Promise<EventPage> {
    const { cursor, startLedger } = { cursor: undefined, startLedger: undefined, ...this.#from };
    const params = {
      ...(startLedger === undefined ? {} : { startLedger }),
      filters: this.#filters,
      pagination: { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) },
    };
    const response = await fetch(this.#rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getEvents', params }),
    });
    return ((await response.json()) as { result: EventPage }).result;
  }
}

/** Every transfer to an account since a ledger. */
export async function transfersTo(
  rpcUrl: string,
  address: string,
  startLedger: number,
): Promise<Map<bigint, string[]>> {
  const follower = new TransferFollower(rpcUrl, startLedger, address);
  await follower.read();
  return follower.transfers;
}
