import type { Migration } from '../migrate.ts';
import { settlements } from './001-settlements.ts';
import { instances } from './002-instances.ts';
import { rateCounts } from './003-rate-counts.ts';
import { settlementTerms } from './004-settlement-terms.ts';
import { payerFunds } from './005-payer-funds.ts';
import { sharedRefusals } from './006-shared-refusals.ts';
import { fewerIndexWrites } from './007-fewer-index-writes.ts';
import { paidElsewhere } from './008-paid-elsewhere.ts';
import { arrived } from './009-arrived.ts';
import { catalog } from './010-catalog.ts';
import { catalogOrigins } from './011-catalog-origins.ts';
import { catalogRules } from './012-catalog-rules.ts';
import { catalogChanges } from './013-catalog-changes.ts';
import { catalogCalls } from './014-catalog-calls.ts';
import { catalogEvidence } from './015-catalog-evidence.ts';
import { catalogProtocols } from './016-catalog-protocols.ts';
import { search } from './020-search.ts';
import { searchImpacts } from './021-search-impacts.ts';
import { searchStanding } from './022-search-standing.ts';
import { policies } from './030-policies.ts';
import { provedPolicies } from './031-proved-policies.ts';
import { clients } from './040-clients.ts';
import { networks } from './050-networks.ts';
import { proxySales } from './060-proxy-sales.ts';
import { sessionVouchers } from './061-session-vouchers.ts';

/** Every step of the schema, in order. A folder that keeps something adds its file and its line. */
export const MIGRATIONS: readonly Migration[] = [
  settlements,
  instances,
  rateCounts,
  settlementTerms,
  payerFunds,
  sharedRefusals,
  fewerIndexWrites,
  paidElsewhere,
  arrived,
  catalog,
  catalogOrigins,
  catalogRules,
  catalogChanges,
  catalogCalls,
  catalogEvidence,
  catalogProtocols,
  search,
  searchImpacts,
  searchStanding,
  policies,
  provedPolicies,
  clients,
  networks,
  proxySales,
  sessionVouchers,
];
