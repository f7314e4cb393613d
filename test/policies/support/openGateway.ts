import assert from 'node:assert/strict';
import { systemClock } from '../../../src/server/index.ts';
import { silentLogger } from '../../../src/server/logger.ts';
import type { StellarNetwork } from '../../../src/server/network/index.ts';
import { openPolicies, type Policies } from '../../../src/server/policies/index.ts';
import { openSigner } from '../../../src/server/settlement/signer.ts';
import type { Database } from '../../../src/server/store/index.ts';
import type { LocalNetwork } from '../../support/localStack.ts';

/**
 * A policy gateway without HTTP before it: over this store, and over this network or what stands for it.
 * @param sponsorFloorStroops what the sponsor keeps
 */
export function openGateway(
  local: LocalNetwork,
  database: Database,
  network: StellarNetwork = local.network,
  sponsorFloorStroops = 0n,
): Policies {
  const signer = openSigner(local.ledger.accounts.sponsor.secret);
  assert.ok(signer);
  return openPolicies({
    network,
    clock: systemClock,
    logger: silentLogger,
    database,
    signer,
    config: {
      sponsorFloorStroops,
      inclusionFeeStroops: 100n,
      uptoContractId: null,
      policyProofRequired: false,
    },
  });
}
