import type { ts } from 'ts-morph';
import { type PaymentBlock, paymentBlocks } from '../gate/paymentBlocks.ts';
import type { FoundRoute } from '../routes/foundRoute.ts';
import { type Discovery, readDiscovery } from '../schema/discovery.ts';
import type { Bindings } from '../source/bindings.ts';
import { readStyle, type Style } from '../source/style.ts';
import type { AddPaymentInput } from './change.ts';
import type { Code } from './code.ts';
import { attachedComment } from './firstLine.ts';
import { describedBy, serviceName, tagsOf } from './listing.ts';
import { Names } from './names.ts';
import type { Price } from './paymentTerms.ts';
import { routeConfig } from './routeConfig.ts';
import type { SettingNames, Terms } from './settings.ts';

/** All that the changes of a framework work with. */
export interface ChangeContext {
  readonly file: ts.SourceFile;
  readonly bindings: Bindings;
  readonly route: FoundRoute;
  /** All of the file. */
  readonly routes: readonly FoundRoute[];
  readonly style: Style;
  readonly names: Names;
  readonly blocks: readonly PaymentBlock[];
  readonly price: Price;
  readonly terms: Terms;
  readonly input: AddPaymentInput;
}

export function changeContext(
  parts: Pick<
    ChangeContext,
    'file' | 'bindings' | 'route' | 'routes' | 'price' | 'terms' | 'input'
  >,
): ChangeContext {
  const { file, bindings, input } = parts;
  return {
    ...parts,
    style: { ...readStyle(file, input.packageModules), ...input.formatter },
    names: new Names(file),
    blocks: paymentBlocks(file, bindings),
  };
}

/** The settings of the file, from whichever block has them. */
export function existingSettings(
  blocks: readonly PaymentBlock[],
):
  | { readonly block: PaymentBlock; readonly settings: NonNullable<PaymentBlock['settings']> }
  | undefined {
  for (const block of blocks) {
    if (block.settings) return { block, settings: block.settings };
  }
  return undefined;
}

/** A second route may pay another account than the first. */
export function settingsWithPayTo(
  { terms, style }: ChangeContext,
  settings: NonNullable<PaymentBlock['settings']>,
): SettingNames {
  const same = settings.payToAddress === undefined || settings.payToAddress === terms.payTo;
  return {
    server: settings.server,
    payTo: same ? settings.payTo : `${style.quote}${terms.payTo}${style.quote}`,
  };
}

/** The configuration of the route that is changed. */
export function configOf(
  context: ChangeContext,
  settings: SettingNames,
  declare: string,
  above: ts.Node | undefined,
): { readonly code: Code; readonly discovery: Discovery } {
  const { file, route, style, price, bindings, input } = context;
  const discovery = readDiscovery(route, bindings);
  const code = routeConfig(
    {
      price,
      payTo: settings.payTo,
      description: above && describedBy(attachedComment(file, above)),
      title: `${route.method} ${route.path}`,
      serviceName: serviceName(input.packageName),
      tags: tagsOf(route.path),
      discovery,
      declare,
    },
    style,
  );
  return { code, discovery };
}

/** Code of lines with the file's line ends, each behind an indentation. */
export function joinLines(lines: readonly string[], indent: string, { eol }: Style): string {
  return lines.map((line) => (line === '' ? '' : indent + line)).join(eol);
}
