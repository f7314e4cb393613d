import type { Hono } from 'hono';
import { ERROR_TABLE } from '../../../protocol/index.ts';
import type { Catalog } from '../../catalog/index.ts';
import type { Rejection } from '../../facilitator/index.ts';
import { StoreError } from '../../store/index.ts';
import type { Answer } from '../answers.ts';
import { errorBody } from '../errorBodies.ts';
import { type Environment, send } from '../send.ts';
import { listResources } from './listResources.ts';
import { BadParameter, Parameters } from './parameters.ts';
import { searchResources } from './searchResources.ts';

type Read = (catalog: Catalog, parameters: Parameters) => Promise<object>;

/** What answers each path. */
const READS: Readonly<Record<string, Read>> = {
  '/discovery/resources': listResources,
  '/discovery/search': searchResources,
};

function refusal(rejection: Rejection): Answer {
  return {
    status: ERROR_TABLE[rejection.code].status,
    body: errorBody('discovery', rejection),
  };
}

/** Runs `work`; what a stranger asked wrongly and a store that fails become answers. */
export async function answering(work: () => Promise<object>): Promise<Answer> {
  try {
    return { status: 200, body: await work() };
  } catch (error) {
    if (error instanceof BadParameter) return refusal(error.rejection);
    if (error instanceof StoreError) return refusal({ code: 'catalog_unavailable' });
    throw error;
  }
}

/** Serves the discovery endpoints of a catalog. */
export function mountDiscovery(app: Hono<Environment>, catalog: Catalog): void {
  for (const [path, read] of Object.entries(READS)) {
    app.get(path, async (c) =>
      send(c, await answering(() => read(catalog, new Parameters(c.req.url)))),
    );
  }
}
