import * as xdr from '@stellar/stellar-sdk/xdr';
import { readI128, toScAddress } from '../../src/protocol/stellar/index.ts';
import { USDC } from '../support/payment.ts';

interface EventPage {
  readonly events: readonly { readonly value: string; readonly txHash: string }[];
  readonly cursor: string;
}

/**
 * Every transfer to an account, as the ledger's own events tell it: amounts, each with the hashes of
 * the transactions that moved it.
 */
export async function transfersTo(
  rpcUrl: string,
  address: string,
  startLedger: number,
): Promise<Map<bigint, string[]>> {
  const transfers = new Map<bigint, string[]>();
  const topic = (value: xdr.ScVal) => value.toXdr('base64');
  const filters = [
    {
      type: 'contract',
      contractIds: [USDC],
      topics: [
        [
          topic(xdr.ScVal.scvSymbol('transfer')),
          '*',
          topic(xdr.ScVal.scvAddress(toScAddress(address as Parameters<typeof toScAddress>[0]))),
          '*',
        ],
      ],
    },
  ];
  let page: object = { startLedger, filters, pagination: { limit: 1_000 } };
  for (;;) {
    const response = await fetch(rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getEvents', params: page }),
    });
    const { result } = (await response.json()) as { result: EventPage };
    for (const { value, txHash } of result.events) {
      const amount = readI128(xdr.ScVal.fromXdr(value, 'base64'));
      if (amount === undefined) continue;
      transfers.set(amount, [...(transfers.get(amount) ?? []), txHash]);
    }
    if (result.events.length < 1_000) return transfers;
    page = { filters, pagination: { limit: 1_000, cursor: result.cursor } };
  }
}
