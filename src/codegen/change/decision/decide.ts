import { type Refusal, refuse } from '../../routes/route.ts';
import type { RouteReading } from '../reading/routeReading.ts';
import { decideGate } from './decideGate.ts';
import { decideWrapper } from './decideWrapper.ts';
import type { Decision } from './decision.ts';
import { oldFramework } from './versions.ts';

/** Decides, from the reading, which change puts the payment before the route, or why none is possible. */
export function decide({
  made,
  settings,
  names,
  style,
  version,
  route,
}: RouteReading): Decision | Refusal {
  if (!made) {
    return route.framework === 'next-app'
      ? refuse('layout_not_supported', `How ${route.method} is exported is not supported.`)
      : refuse('no_route', 'This is not a route that a call registers.');
  }
  const old = oldFramework(made.kind === 'exported' ? 'next' : made.framework, version);
  if (old) return old;
  return made.kind === 'exported'
    ? decideWrapper(made, route.method, names, style)
    : decideGate(made, settings);
}
