import type { Edit } from '../../source/edit.ts';
import type { Decision } from '../decision/decision.ts';
import type { Terms } from '../paymentTerms.ts';
import type { RouteReading } from '../reading/routeReading.ts';
import { addImports } from './addImports.ts';
import type { Ingredients } from './ingredients.ts';
import { neededImports } from './neededImports.ts';
import { routeConfig } from './routeConfig.ts';
import { newSettings, usedSettings } from './settings.ts';
import { writeGate } from './writeGate.ts';
import { writeKeys } from './writeKeys.ts';
import { writeWrapper } from './writeWrapper.ts';

/** Returns the edits that carry out a decision. */
export function writePayment(
  reading: RouteReading,
  decision: Decision,
  terms: Terms,
): readonly Edit[] {
  const { imports, names, style, settings: found } = reading;
  const before = decision.kind === 'wrappedExport' ? reading.text.length : decision.before;
  const imported = addImports(imports, neededImports(reading, decision), style, names, before);
  const settings = found
    ? usedSettings(found, terms.payTo, style)
    : newSettings(
        { ...terms, payToVariable: reading.payToVariable },
        imported,
        names,
        style,
        atRequest(reading, decision),
      );
  const config = routeConfig({
    reading,
    terms,
    payTo: settings.payTo,
    declare: imported.local('declareDiscoveryExtension'),
  });
  const ingredients: Ingredients = { reading, imported, settings, config };
  switch (decision.kind) {
    case 'newGate':
      return [...imported.edits, ...writeGate(ingredients, decision)];
    case 'moreKeys':
      return [...imported.edits, ...writeKeys(ingredients, decision)];
    case 'wrappedExport':
      return [...imported.edits, ...writeWrapper(ingredients, decision)];
  }
}

/** Workers of Cloudflare connect, and know their environment, in requests only. */
function atRequest(
  { runtime, typed }: RouteReading,
  decision: Decision,
): { readonly typed: boolean } | undefined {
  const isHono = decision.kind === 'newGate' && decision.registered.framework === 'hono';
  return isHono && runtime === 'workers' ? { typed } : undefined;
}
