import { CONFIG_DEFAULTS, type FacilitatorConfig } from '../../src/server/config.ts';
import { deriveChannelSecrets, openSigners } from '../../src/server/settlement/index.ts';
import { testKey } from '../support/payer.ts';

/** The configuration of a facilitator on a model of the ledger, with a sponsor and fifty channel accounts of its own. */
export const SIM_CONFIG: FacilitatorConfig = {
  ...CONFIG_DEFAULTS,
  rpcUrl: 'http://model.invalid',
  sponsorSecret: testKey('simulated sponsor').secret,
  channels: { secrets: deriveChannelSecrets('channels of the simulation') },
};

/** The signers of that configuration. Opening fifty keys takes longer than a simulation. */
export const SIM_SIGNERS = openSigners(SIM_CONFIG);

/** The accounts of a facilitator that shares nothing with the first. */
export const OTHER_CONFIG: FacilitatorConfig = {
  ...SIM_CONFIG,
  sponsorSecret: testKey('another simulated sponsor').secret,
  channels: { secrets: deriveChannelSecrets('channels of another facilitator') },
};

/** The signers of that configuration. */
export const OTHER_SIGNERS = openSigners(OTHER_CONFIG);

/** The status of a catalog that has nothing to do. */
export const CATALOG_AT_REST = {
  frozen: false,
  unverifiable: 0,
  reverifyPending: 0,
  search: {
    documents: 0,
    pendingEmbeddings: 0,
    embeddings: { provider: 'none', circuit: 'closed' },
    vectorIndex: 'in process',
  },
} as const;
