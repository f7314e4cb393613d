import { CONFIG_DEFAULTS, type FacilitatorConfig } from '../../src/server/config.ts';
import {
  deriveChannelSecrets,
  openSigners,
  type Signers,
} from '../../src/server/settlement/index.ts';
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

/** Who pays the fees of one facilitator, and by which channels. */
export interface SimHolder {
  readonly config: FacilitatorConfig;
  readonly signers: Signers;
}

const others: SimHolder[] = [];

/** Returns the accounts of one of several facilitators, each with a sponsor and channels of its own. */
export function holderOf(index: number): SimHolder {
  if (index === 0) return { config: SIM_CONFIG, signers: SIM_SIGNERS };
  const config: FacilitatorConfig = {
    ...SIM_CONFIG,
    sponsorSecret: testKey(`simulated sponsor ${index}`).secret,
    channels: { secrets: deriveChannelSecrets(`channels of the simulation, ${index}`) },
  };
  others[index] ??= { config, signers: openSigners(config) };
  return others[index];
}

/** The status of a catalog that has nothing to do. */
export const CATALOG_AT_REST = {
  frozen: false,
  unverifiable: 0,
  reverifyPending: 0,
  damagedRows: [],
  search: {
    documents: 0,
    pendingEmbeddings: 0,
    embeddings: { provider: 'none', circuit: 'closed' },
    vectorIndex: 'in process',
  },
} as const;
