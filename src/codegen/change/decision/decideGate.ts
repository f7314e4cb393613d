import { isRefusal } from '../../routes/pathPattern.ts';
import { type Refusal, refuse } from '../../routes/route.ts';
import type { GateReading, SettingsReading } from '../reading/paidBlocks.ts';
import type { Place } from '../reading/places.ts';
import type { Places, RegisteredReading } from '../reading/registeredReading.ts';
import type { MoreKeys, NewGate } from './decision.ts';

/** Decides where a route of Express, Fastify or Hono gets its gate, or why it cannot have one. */
export function decideGate(
  registered: RegisteredReading,
  settings: SettingsReading | undefined,
): NewGate | MoreKeys | Refusal {
  const { named, places, tied } = registered;
  if (!named) {
    return refuse(
      'no_instance_name',
      'Assign the app or router that this route is registered on to a `const` first, so that its payment can be registered before it.',
    );
  }
  if (isRefusal(places)) return places;
  if (tied) return tiedRefusal(registered, places) ?? newGate(registered, settings, places);
  const { gate, route } = places;
  if (!gate) return newGate(registered, settings, places);
  if (gate.stands !== 'before') {
    const refusal =
      edited(registered.foreignLine) ?? immovable(gate) ?? belowSettings(gate, settings, places);
    if (refusal) return refusal;
  }
  if (!settings) {
    return refuse(
      'block_edited',
      'The payment settings of this file were changed beyond recognition. Restore or remove them.',
    );
  }
  const movesTo = gate.stands === 'before' ? undefined : route.offset;
  const before = movesTo ?? gate.pos;
  return { kind: 'moreKeys', registered, gate, settings, movesTo, before };
}

/** Returns why a separate gate must not be placed in front of a route. */
function tiedRefusal(
  { chained, wholeInstanceLine }: RegisteredReading,
  { route }: Places,
): Refusal | undefined {
  if (chained && route.inChain === undefined) {
    return refuse(
      'order_not_assured',
      `${chained.name} in line ${chained.line} belongs to the same chain of calls and could be asked for this payment. Give each route a statement of its own.`,
    );
  }
  return wholeInstanceLine === undefined
    ? undefined
    : refuse(
        'order_not_assured',
        `Line ${wholeInstanceLine} has a payment for a whole Fastify instance, from an earlier version. Remove it with \`svc-x402 remove\` and add its routes again.`,
      );
}

function newGate(
  registered: RegisteredReading,
  settings: SettingsReading | undefined,
  { route: place, settings: top }: Places,
): NewGate | Refusal {
  if (isRefusal(top)) return top;
  const moved = settings && settings.start > top.offset ? settings : undefined;
  const before = Math.min(top.offset, place.offset);
  return edited(moved?.foreignLine) ?? { kind: 'newGate', registered, place, top, moved, before };
}

function edited(line: number | undefined): Refusal | undefined {
  return line === undefined
    ? undefined
    : refuse(
        'block_edited',
        `The marked payment code holds a statement of its own (line ${line}). Move it out of the marks first.`,
      );
}

/** Returns why a gate below the route cannot move above it. */
function immovable({ stands, line, block, map }: GateReading): Refusal | undefined {
  if (stands === 'elsewhere') {
    return refuse(
      'order_not_assured',
      `The payment in line ${line} is in a different block than this route and runs after it.`,
    );
  }
  return map.start >= block.start && map.start < block.end
    ? undefined
    : refuse(
        'block_edited',
        `The map of the payment below this route is outside the marks (line ${map.line}). Move it between them first.`,
      );
}

/** Settings in a separate block below the gate would be used before they exist. */
function belowSettings(
  { block }: GateReading,
  settings: SettingsReading | undefined,
  { route, settings: top }: { readonly route: Place; readonly settings: Place | Refusal },
): Refusal | undefined {
  if (!settings || settings.blockStart === block.start || settings.start <= route.offset) {
    return undefined;
  }
  return isRefusal(top) || top.offset < settings.start
    ? refuse(
        'order_not_assured',
        'The payment settings of this file are below this route. Move them above it.',
      )
    : undefined;
}
