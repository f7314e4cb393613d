import type { PaymentProtocol } from '../../../protocol/index.ts';
import { ENGINE_EXPORT, ENGINE_MODULE } from '../../gate/engineCalls.ts';
import { isRefusal } from '../../routes/pathPattern.ts';
import { type Refusal, refuse, SELL_BY_PROXY } from '../../routes/route.ts';
import { deletion, type Edit } from '../../source/edit.ts';
import { decide } from '../decision/decide.ts';
import type { NewGate } from '../decision/decision.ts';
import { information, type Note } from '../note.ts';
import type { Terms } from '../paymentTerms.ts';
import type { RouteReading } from '../reading/routeReading.ts';
import { addImports, type Imported } from '../writing/addImports.ts';
import { blockBefore } from '../writing/blocks.ts';
import {
  type Code,
  call,
  joined,
  type Line,
  member,
  object,
  quoted,
  text,
} from '../writing/code.ts';
import { serviceName } from '../writing/listing.ts';
import { routeKey } from '../writing/routeKey.ts';
import { narrowed, writeLines } from '../writing/writeCode.ts';
import { engineTerms } from './engineTerms.ts';

/** The variable with the key of MPP's challenges. */
const SECRET = 'PAYMENT_SECRET';

/** The edits that sell a route with our own engine, and what to know about them. */
export interface EngineChange {
  readonly edits: readonly Edit[];
  readonly notes: readonly Note[];
}

/**
 * Whether a change is made with our own engine: if a protocol is asked for that the published packages do not have, or if the file
 * is sold with it already.
 */
export function usesEngine(
  { settings }: Pick<RouteReading, 'settings'>,
  protocols: readonly PaymentProtocol[] | undefined,
): boolean {
  return settings?.isEngine === true || (protocols?.includes('mpp') ?? false);
}

/** Puts a payment of our own engine before a route of Express or Hono, or says why the proxy has to sell it. */
export function engineChange(
  reading: RouteReading,
  terms: Terms,
  protocols: readonly PaymentProtocol[] | undefined,
): EngineChange | Refusal {
  const refusal = whyNot(reading, terms, protocols);
  if (refusal) return refusal;
  const { made } = reading;
  // The gate is tied to the route: the router itself decides which requests it asks for a payment.
  const tied =
    made?.kind === 'registered' ? { ...reading, made: { ...made, tied: true } } : reading;
  const decision = decide(tied);
  if (isRefusal(decision)) return decision;
  if (decision.kind !== 'newGate') return byProxy('This route');
  return {
    edits: writeEngine(reading, decision, terms, protocols ?? ['x402', 'mpp']),
    notes: [
      information(
        'protocols',
        reading.settings
          ? `It is paid by the protocols of ${reading.settings.server} in this file.`
          : `It is paid by ${(protocols ?? []).join(' and ')}, with svc-x402/seller. Set ${SECRET} (16 characters or more) so that challenges of MPP outlive a restart.`,
      ),
    ],
  };
}

function byProxy(what: string): Refusal {
  return refuse(
    'framework_not_supported',
    `${what} cannot be paid by MPP in its own code. ${SELL_BY_PROXY}`,
  );
}

/** Why our engine cannot sell a route in its code. */
function whyNot(
  { route, made, settings, style, runtime }: RouteReading,
  { payTo }: Terms,
  protocols: readonly PaymentProtocol[] | undefined,
): Refusal | undefined {
  const { framework } = route;
  if (framework === 'fastify') return byProxy('A route of Fastify');
  if (framework === 'next-app') return byProxy('A handler of Next.js');
  if (made?.kind === 'registered' && !isRefusal(made.places) && made.places.route.inChain) {
    return byProxy('A route in a chain of calls');
  }
  if (runtime === 'workers') return byProxy('An app on Cloudflare Workers');
  if (style.modules === 'commonjs')
    return byProxy('A CommonJS file, which cannot load svc-x402/seller,');
  if (settings && !settings.isEngine) {
    return refuse(
      'block_edited',
      'The payments of this file use the x402 packages. Remove them with `svc-x402 remove`, and add all of them with the same --protocols.',
    );
  }
  if (settings && protocols && !protocols.includes('mpp')) {
    return refuse(
      'block_edited',
      `The payments of this file are paid by the protocols of ${settings.server}. Leave out --protocols.`,
    );
  }
  const other = settings?.payToAddress;
  return other === undefined || other === payTo
    ? undefined
    : refuse(
        'invalid_pay_to',
        `The payments of this file go to ${other}. Give that address, or sell this route in another file.`,
      );
}

interface Seller {
  readonly name: string;
  readonly lines: readonly Line[];
}

/** Writes the recipient and the seller, once in a file. */
function newSeller(
  { names, style, packageName, payToVariable }: RouteReading,
  { payTo, facilitatorUrl }: Terms,
  imported: Imported,
  protocols: readonly PaymentProtocol[],
): Seller {
  const { declare, semicolons, bracketEnv } = style;
  const end = semicolons ? ';' : '';
  const config = names.fresh('PAYMENT_CONFIG');
  const name = names.fresh('paymentSeller');
  const variable = (of: string): Code =>
    bracketEnv ? joined(text('process.env['), quoted(of), text(']')) : text(`process.env.${of}`);
  const either = (of: string, otherwise: string): Code => ({
    ...{ kind: 'either', first: variable(of), second: quoted(otherwise) },
  });
  const service = serviceName(packageName);
  const settings = object(
    [
      payToVariable === undefined
        ? member(
            'payToAddress',
            quoted(payTo),
            'The account that is paid. To be paid elsewhere, change it here.',
          )
        : member(
            'payToAddress',
            either(payToVariable, payTo),
            `The account that is paid: the one in ${payToVariable}, or else this one.`,
          ),
    ],
    true,
  );
  const options = object(
    [
      member('payTo', text(`${config}.payToAddress`)),
      member('facilitator', either('FACILITATOR_URL', facilitatorUrl)),
      service === undefined ? undefined : member('serviceName', quoted(service)),
      protocols.includes('x402')
        ? undefined
        : member('protocols', { kind: 'array', items: protocols.map((each) => quoted(each)) }),
      member('secret', variable(SECRET), 'Without it, a restart ends the open challenges of MPP.'),
    ],
    true,
  );
  return {
    name,
    lines: [
      { lead: `${declare} ${config} = `, code: settings, tail: end },
      {
        lead: `${declare} ${name} = `,
        code: call(imported.local(ENGINE_EXPORT), options),
        tail: end,
      },
    ],
  };
}

function writeEngine(
  reading: RouteReading,
  { registered, place, top, moved, before }: NewGate,
  terms: Terms,
  protocols: readonly PaymentProtocol[],
): readonly Edit[] {
  const { imports, names, style, route, settings: found } = reading;
  const needed = found ? [] : [{ module: ENGINE_MODULE, name: ENGINE_EXPORT }];
  const imported = addImports(imports, needed, style, names, before);
  const seller = found
    ? { name: found.server, lines: [] }
    : newSeller(reading, terms, imported, protocols);
  const verb = route.method === '*' ? 'all' : route.method.toLowerCase();
  const kind = registered.framework === 'hono' ? 'hono' : 'node';
  const { path } = routeKey(route, registered, place.offset, style);
  const gate: Line = {
    lead: '',
    code: call(
      `${registered.owner}.${verb}`,
      path,
      call(`${seller.name}.${kind}`, engineTerms(reading, terms)),
    ),
    tail: style.semicolons ? ';' : '',
  };
  // Settings that are not in the gate's block get their own block at the top level.
  const apart = !found && top.pos !== place.pos;
  const aboveIndent = apart ? '' : place.indent;
  const above = writeLines(seller.lines, narrowed(style, aboveIndent), aboveIndent);
  const lines = writeLines([gate], narrowed(style, place.indent), place.indent);
  const front = apart || above.length === 0 ? [] : [...above, ''];
  return [
    ...imported.edits,
    ...(apart && above.length > 0 ? [blockBefore(top, above, style)] : []),
    ...(moved
      ? [blockBefore(top, moved.lines, style), deletion(moved.cut.start, moved.cut.end)]
      : []),
    blockBefore(place, [...front, ...lines], style),
  ];
}
