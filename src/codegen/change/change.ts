import type { PaymentProtocol } from '../../protocol/index.ts';
import type { SourceText } from '../findRoutes.ts';
import type { FormatterSettings } from '../packages/formatter.ts';
import type { Importer } from '../packages/importers.ts';
import { type Refusal, type Route, refuse } from '../routes/route.ts';
import type { Edit } from '../source/edit.ts';
import { unlessTooDeep } from '../source/sourceFile.ts';
import type { Note } from './note.ts';

/** Input for putting a payment before a route. */
export interface AddPaymentInput extends SourceText {
  /** A position in the route, in the text before the change. */
  readonly offset: number;
  /** USDC as decimal text. */
  readonly price: string;
  readonly payTo: string;
  /** The facilitator that the code calls if FACILITATOR_URL is not set. */
  readonly facilitatorUrl: string;
  /** What a buyer gets, in a sentence. Without it, the comment above the route is used, or a TODO is left. */
  readonly description?: string | undefined;
  /** `name` of the nearest package.json. */
  readonly packageName?: string | undefined;
  /** The module type that package.json sets for its files: `"type": "module"` or not. */
  readonly packageModules?: 'esm' | 'commonjs' | undefined;
  /**
   * The protocols in which buyers can pay. With `mpp`, the code uses our own engine instead of the published packages. Default: x402,
   * or those of the file's other payments.
   */
  readonly protocols?: readonly PaymentProtocol[] | undefined;
  /** Version or range of Next.js in the app. */
  readonly nextVersion?: string | undefined;
  /** Versions or ranges of the frameworks in the project, by package. */
  readonly versions?: FrameworkVersions | undefined;
  /** `workers`: Cloudflare Workers, which connect in requests only and have no `process`. */
  readonly runtime?: 'workers' | undefined;
  /** Why the packages would not start on this runtime. */
  readonly runtimeProblem?: string | undefined;
  /** The variable of the environment from which the project reads the account that is paid. */
  readonly payToVariable?: string | undefined;
  /** Files that use what a Next.js route file exports. */
  readonly importers?: readonly Importer[] | undefined;
  /** The settings of the project's formatter; the file shows the rest. */
  readonly formatter?: FormatterSettings | undefined;
}

export type FrameworkVersions = Partial<
  Readonly<Record<'express' | 'fastify' | 'hono' | 'next', string>>
>;

/** A change of one file, to be applied as one step. */
export interface Change {
  readonly ok: true;
  readonly edits: readonly Edit[];
  /** Cursor position in the changed text: the first TODO, or the inserted code. */
  readonly cursor: number;
  readonly route: Route;
  /** Whether the payment uses our own engine (`svc-x402/seller`) instead of the published packages. */
  readonly isEngine: boolean;
  /** What the user should know about the change. */
  readonly notes: readonly Note[];
}

export interface Refused {
  readonly ok: false;
  readonly refusal: Refusal;
}

export type ChangeResult = Change | Refused;

export function refused(refusal: Refusal): Refused {
  return { ok: false, refusal };
}

/** Changes code, and refuses code that is nested too deeply to parse. */
export function changing(make: () => ChangeResult): ChangeResult {
  const message = 'The code in this file is nested too deeply to read.';
  return unlessTooDeep(make, refused(refuse('unsupported_file', message)));
}
