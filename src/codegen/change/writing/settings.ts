import type { Style } from '../../source/style.ts';
import type { Terms } from '../paymentTerms.ts';
import type { Names } from '../reading/names.ts';
import type { SettingsReading } from '../reading/paidBlocks.ts';
import type { Imported } from './addImports.ts';
import { type Code, call, joined, type Line, member, object, quoted, text } from './code.ts';

/** Local names of the settings, and the lines that create them if the file has none. */
export interface Settings {
  /** As code: `PAYMENT_CONFIG.payToAddress`. */
  readonly payTo: string;
  /** The resource server, or the function that creates it. */
  readonly server: string;
  /** Whether `server` is a function of the environment that a request has. */
  readonly atRequest: boolean;
  readonly lines: readonly Line[];
}

/** Uses the file's settings; a second route can pay a different account than the first. */
export function usedSettings(found: SettingsReading, payTo: string, { quote }: Style): Settings {
  const same = found.payToAddress === undefined || found.payToAddress === payTo;
  return {
    payTo: same ? found.payTo : quote + payTo + quote,
    server: found.server,
    atRequest: found.atRequest,
    lines: [],
  };
}

/**
 * Writes the recipient, the facilitator and the resource server, once in a file.
 * @param atRequest set if only requests have the environment and connections of the runtime
 */
export function newSettings(
  terms: Pick<Terms, 'payTo' | 'facilitatorUrl'> & { readonly payToVariable: string | undefined },
  imported: Imported,
  names: Names,
  { declare, semicolons, bracketEnv }: Style,
  atRequest: { readonly typed: boolean } | undefined,
): Settings {
  const end = semicolons ? ';' : '';
  const config = names.fresh('PAYMENT_CONFIG');
  const client = atRequest ? '' : names.fresh('facilitatorClient');
  const server = names.fresh(atRequest ? 'createPaymentServer' : 'paymentServer');
  const source = atRequest ? 'environment' : 'process.env';
  const fromEnvironment = (name: string, otherwise: string): Code => ({
    kind: 'either',
    first:
      bracketEnv && !atRequest
        ? joined(text(`${source}[`), quoted(name), text(']'))
        : text(`${source}.${name}`),
    second: quoted(otherwise),
  });
  // The settings are read when the app starts, when Workers have no environment yet.
  const variable = atRequest ? undefined : terms.payToVariable;
  const settings = object(
    [
      variable === undefined
        ? member(
            'payToAddress',
            quoted(terms.payTo),
            'The account that is paid. To be paid elsewhere, change it here.',
          )
        : member(
            'payToAddress',
            fromEnvironment(variable, terms.payTo),
            `The account that is paid: the one in ${variable}, or else this one.`,
          ),
    ],
    true,
  );
  const url = fromEnvironment('FACILITATOR_URL', terms.facilitatorUrl);
  const created = call(
    `new ${imported.local('HTTPFacilitatorClient')}`,
    object([member('url', url)]),
  );
  const scheme = joined(
    text('.register('),
    quoted('stellar:testnet'),
    text(`, new ${imported.local('ExactStellarScheme')}())`),
  );
  const extension = text(`.registerExtension(${imported.local('bazaarResourceServerExtension')})`);
  const made = `new ${imported.local('x402ResourceServer')}`;
  if (atRequest) {
    const parameter = atRequest.typed ? 'environment: { FACILITATOR_URL?: string }' : 'environment';
    return {
      lines: [
        { lead: `${declare} ${config} = `, code: settings, tail: end },
        {
          lead: `${declare} ${server} = (${parameter}) => `,
          code: { kind: 'chain', start: call(made, created), calls: [scheme, extension] },
          tail: end,
        },
      ],
      payTo: `${config}.payToAddress`,
      server,
      atRequest: true,
    };
  }
  const start = call(made, text(client));
  return {
    lines: [
      { lead: `${declare} ${config} = `, code: settings, tail: end },
      { lead: `${declare} ${client} = `, code: created, tail: end },
      {
        lead: `${declare} ${server} = `,
        code: { kind: 'chain', start, calls: [scheme, extension] },
        tail: end,
      },
    ],
    payTo: `${config}.payToAddress`,
    server,
    atRequest: false,
  };
}
