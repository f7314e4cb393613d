import type { AttackTable } from '../attack.ts';
import type { Target } from '../target.ts';
import type { World } from '../world.ts';
import { COPIED_LISTINGS, STUFFED_LISTINGS, SYBILS } from './boughtPlaces.ts';
import { BROWSER } from './browser.ts';
import { DAMAGED_ROWS } from './damagedRows.ts';
import { ENVIRONMENT } from './environment.ts';
import { FALSE_RESETS } from './falseResets.ts';
import { PIPELINED_FLOODS, RATE_LIMITS } from './floods.ts';
import { FORGED_PAYERS } from './forgedPayers.ts';
import { FRAMING } from './framing.ts';
import { GATEWAY } from './gateway.ts';
import { HOSTS } from './hosts.ts';
import { INJECTION } from './injection.ts';
import { JSON_BODIES } from './jsonBodies.ts';
import { MCP } from './mcp.ts';
import { OPERATOR } from './operator.ts';
import { PAGES } from './pages.ts';
import { RATE_LIMIT } from './rateLimit.ts';
import { REPLAYS } from './replays.ts';
import { SCHEMAS } from './schemas.ts';
import { SETTINGS } from './settings.ts';
import { SIZES } from './sizes.ts';
import { SLOW } from './slow.ts';
import { SPEND_COUNTERS } from './spendCounters.ts';
import { SQUATTING } from './squatting.ts';
import { SSRF } from './ssrf.ts';
import { STANDING } from './standing.ts';
import { TEXTS } from './texts.ts';
import { WORKSPACE } from './workspace.ts';

/** Attacks that need nothing but the two ports. */
const OVER_THE_NETWORK: readonly AttackTable<Target>[] = [FRAMING, HOSTS, PAGES, OPERATOR, SIZES];

/** What is tried again and again while honest buyers pay. */
export const WITH_BUYERS: readonly AttackTable<Target>[] = [SCHEMAS, ...OVER_THE_NETWORK];

/** Attacks on what strangers share with honest buyers, who must not notice them. */
export const CROWD: readonly AttackTable<World>[] = [
  FORGED_PAYERS,
  SPEND_COUNTERS,
  STUFFED_LISTINGS,
  COPIED_LISTINGS,
  SYBILS,
  DAMAGED_ROWS,
  FALSE_RESETS,
  RATE_LIMITS,
  PIPELINED_FLOODS,
];

/** All attacks. */
export const KINDS: readonly AttackTable<World>[] = [
  RATE_LIMIT,
  ...CROWD,
  ...OVER_THE_NETWORK,
  SLOW,
  JSON_BODIES,
  SSRF,
  SQUATTING,
  STANDING,
  TEXTS,
  REPLAYS,
  INJECTION,
  MCP,
  GATEWAY,
  BROWSER,
  ENVIRONMENT,
  SETTINGS,
  WORKSPACE,
  SCHEMAS,
];
