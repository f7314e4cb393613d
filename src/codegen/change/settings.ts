import type { Style } from '../source/style.ts';
import { call, member, object, quoted, text, writeCode } from './code.ts';
import type { Imported, Needed } from './imports.ts';
import type { Names } from './names.ts';

const CORE = '@x402/core/server';
const BAZAAR = '@x402/extensions/bazaar';
const STELLAR = '@x402/stellar/exact/server';

/** What settings are called in a file. */
export interface SettingNames {
  /** As code: `PAYMENT_CONFIG.payToAddress`. */
  readonly payTo: string;
  readonly server: string;
}

export interface Terms {
  readonly payTo: string;
  readonly facilitatorUrl: string;
}

/** The package of a framework's middleware. */
export function adapterPackage(framework: string): string {
  if (framework === 'next-app') return '@x402/next';
  return framework === 'fastify' || framework === 'hono' ? `@x402/${framework}` : '@x402/express';
}

export function settingsImports(framework: string): readonly Needed[] {
  return [
    { module: CORE, name: 'HTTPFacilitatorClient' },
    { module: adapterPackage(framework), name: 'x402ResourceServer' },
    { module: BAZAAR, name: 'bazaarResourceServerExtension' },
    { module: STELLAR, name: 'ExactStellarScheme' },
  ];
}

export function discoveryImport(): Needed {
  return { module: BAZAAR, name: 'declareDiscoveryExtension' };
}

/** Who is paid, which facilitator verifies, and the server that knows the scheme: once in a file. */
export function settingsLines(
  terms: Terms,
  imported: Imported,
  names: Names,
  style: Style,
): { readonly lines: readonly string[]; readonly names: SettingNames } {
  const { declare, semicolons, indent } = style;
  const end = semicolons ? ';' : '';
  const config = names.fresh('PAYMENT_CONFIG');
  const client = names.fresh('facilitatorClient');
  const server = names.fresh('paymentServer');
  const settings = object(
    [
      member(
        'payToAddress',
        text(quoted(terms.payTo, style)),
        'Fixed when this was generated: a later change of the setting does not reach it.',
      ),
    ],
    true,
  );
  const variable = style.bracketEnv
    ? `process.env[${quoted('FACILITATOR_URL', style)}]`
    : 'process.env.FACILITATOR_URL';
  const url = `${variable} ?? ${quoted(terms.facilitatorUrl, style)}`;
  const created = call(
    `new ${imported.local('HTTPFacilitatorClient')}`,
    object([member('url', text(url))]),
  );
  const start = `${declare} ${client} = `;
  const network = quoted('stellar:testnet', style);
  return {
    lines: [
      ...`${declare} ${config} = ${writeCode(settings, style, '', 0)}${end}`.split('\n'),
      ...`${start}${writeCode(created, style, '', start.length)}${end}`.split('\n'),
      `${declare} ${server} = new ${imported.local('x402ResourceServer')}(${client})`,
      `${indent}.register(${network}, new ${imported.local('ExactStellarScheme')}())`,
      `${indent}.registerExtension(${imported.local('bazaarResourceServerExtension')})${end}`,
    ],
    names: { payTo: `${config}.payToAddress`, server },
  };
}
