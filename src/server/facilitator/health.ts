import { STELLAR_TESTNET } from '../../protocol/index.ts';
import type { ChannelPool, Sponsor } from '../settlement/index.ts';

/** Answer of `GET /health`. Amounts are in stroops, as strings. */
export interface Health {
  readonly status: 'ok';
  readonly network: string;
  /** Ownership checks of the catalog still in flight; without a catalog there are none. */
  readonly reverifyPending: number;
  readonly channels: { readonly total: number; readonly free: number };
  readonly sponsor: {
    readonly address: string;
    /** Last balance known; `null` before the first settlement has asked for it. */
    readonly balance: string | null;
    readonly reserved: string;
  };
}

/** Liveness from memory alone: it must answer while the ledger does not. */
export function health(channels: ChannelPool, sponsor: Sponsor): Health {
  return {
    status: 'ok',
    network: STELLAR_TESTNET,
    reverifyPending: 0,
    channels: { total: channels.size, free: channels.free },
    sponsor: {
      address: sponsor.signer.address,
      balance: sponsor.balance?.toString() ?? null,
      reserved: sponsor.reserved.toString(),
    },
  };
}
