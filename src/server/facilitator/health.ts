import { STELLAR_TESTNET } from '../../protocol/index.ts';
import type { Health } from '../../protocol/wire/index.ts';
import type { ChannelPool, Sponsor } from '../settlement/index.ts';

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
