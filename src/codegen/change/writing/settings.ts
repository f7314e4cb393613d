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
  readonly server: string;
  readonly lines: readonly Line[];
}

/** Uses the file's settings; a second route can pay a different account than the first. */
export function usedSettings(found: SettingsReading, payTo: string, { quote }: Style): Settings {
  const same = found.payToAddress === undefined || found.payToAddress === payTo;
  return { payTo: same ? found.payTo : quote + payTo + quote, server: found.server, lines: [] };
}

/** Writes the recipient, the facilitator and the resource server, once in a file. */
export function newSettings(
  terms: Pick<Terms, 'payTo' | 'facilitatorUrl'>,
  imported: Imported,
  names: Names,
  { declare, semicolons, bracketEnv }: Style,
): Settings {
  const end = semicolons ? ';' : '';
  const config = names.fresh('PAYMENT_CONFIG');
  const client = names.fresh('facilitatorClient');
  const server = names.fresh('paymentServer');
  const settings = object(
    [
      member(
        'payToAddress',
        quoted(terms.payTo),
        'The account that is paid. To be paid elsewhere, change it here.',
      ),
    ],
    true,
  );
  const variable = bracketEnv
    ? [text('process.env['), quoted('FACILITATOR_URL'), text(']')]
    : [text('process.env.FACILITATOR_URL')];
  const url: Code = {
    kind: 'either',
    first: joined(...variable),
    second: quoted(terms.facilitatorUrl),
  };
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
  const start = call(`new ${imported.local('x402ResourceServer')}`, text(client));
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
  };
}
