import { budgetOf } from './budgets.ts';
import type { CostService } from './costService.ts';
import type { Cost, Meter } from './measure.ts';
import type { Route } from './route.ts';
import { branchingSchema, declared, payment, resource, routesOf } from './routes.ts';
import { least } from './searchRoute.ts';

/** An attack that outsiders tried, and what it costs now. */
export interface NamedAttack {
  readonly name: string;
  readonly route: Route;
  readonly cost: Cost;
  /** Honest `/verify` that were answered `isValid` while ten of the attack were under way, of eight. */
  readonly honest: number;
}

const REFERENCES = 15;
const BRANCHES = 440;
const AT_ONCE = 10;
const HONEST = 8;
/** Of which the least counts: a busy machine adds to some of them. */
const MEASURES = 5;

/** Finding S2 of 0.3.0: a schema of 15 references to 440 branches, in `/discovery/validate` and in `/settle`. */
export async function branchingSchemas(service: CostService, meter: Meter): Promise<NamedAttack[]> {
  const routes = routesOf(service.started);
  const schema = declared(branchingSchema(REFERENCES, BRANCHES));
  const { seller } = service.started;
  const attacks = [
    {
      name: 'S2: a schema that branches, at POST /discovery/validate',
      at: 'POST /discovery/validate',
      input: { resource: resource(), extensions: schema },
    },
    {
      name: 'S2: the same in a payment of one unit, at POST /settle',
      at: 'POST /settle',
      input: payment(seller, {}, { resource: resource(), extensions: schema }),
    },
  ];
  const found = (name: string): Route => {
    const route = routes.find((one) => one.name === name);
    if (route === undefined) throw new Error(`there is no route ${name}`);
    return route;
  };
  const verify = found('POST /verify');
  const tried: NamedAttack[] = [];
  for (const { name, at, input } of attacks) {
    const route = found(at);
    const costs: Cost[] = [];
    for (let n = 0; n < MEASURES; n += 1) {
      const cost = await meter.cost(route, input, true);
      if (cost === undefined) throw new Error(`${name} is too large`);
      costs.push(cost);
    }
    const cost = least(costs);
    const under = Array.from({ length: AT_ONCE }, () => meter.send(route, input));
    const honest = await Promise.all(
      Array.from({ length: HONEST }, () => meter.send(verify, payment(seller, {}))),
    );
    await Promise.all(under);
    tried.push({ name, route, cost, honest: honest.filter((status) => status === 200).length });
  }
  return tried;
}

export function isWithin({ route, cost, honest }: NamedAttack): boolean {
  const { cpuMs, loopMs } = budgetOf(route);
  return cost.cpuMs <= cpuMs && cost.loopMs <= loopMs && honest === HONEST;
}
