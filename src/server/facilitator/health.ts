import { STELLAR_TESTNET } from '../../protocol/index.ts';
import type { Health } from '../../protocol/wire/index.ts';
import type { ChannelPool, Sponsor } from '../settlement/index.ts';
import type { CatalogHealth } from './payment/index.ts';

/** Reports liveness. Reads only memory, because it must answer even if the ledger does not. */
export function health(
  channels: ChannelPool,
  sponsor: Sponsor,
  catalog: CatalogHealth | undefined,
): Health {
  return {
    status: 'ok',
    network: STELLAR_TESTNET,
    ...(catalog === undefined ? {} : { catalogFrozen: catalog.frozen }),
    ...(catalog === undefined || catalog.unverifiable === 0
      ? {}
      : { unverifiableEntries: catalog.unverifiable }),
    reverifyPending: catalog?.reverifyPending ?? 0,
    ...(catalog === undefined || catalog.damagedRows.length === 0
      ? {}
      : { damagedRows: [...catalog.damagedRows] }),
    ...(catalog === undefined ? {} : { search: catalog.search }),
    channels: { total: channels.size, free: channels.free },
    sponsor: {
      address: sponsor.signer.address,
      balance: sponsor.balance?.toString() ?? null,
      reserved: sponsor.reserved.toString(),
    },
  };
}
