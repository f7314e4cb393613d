import type { RouteReading } from '../reading/routeReading.ts';
import type { Imported } from './addImports.ts';
import type { Code } from './code.ts';
import type { Settings } from './settings.ts';

/** Inputs that every form of payment code needs. */
export interface Ingredients {
  readonly reading: RouteReading;
  readonly imported: Imported;
  readonly settings: Settings;
  /** The configuration of the route. */
  readonly config: Code;
}
