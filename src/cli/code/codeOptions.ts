import type { PaymentProtocol } from '../../protocol/index.ts';
import type { CheckOptions } from '../check/index.ts';

/** Placeholder for the account that `--pay-to new` creates, if nothing is written. */
export const NOBODY = 'GAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAWHF';

/** Options that choose a route. */
interface Selection {
  /** `GET /weather/:city`. */
  readonly route?: string;
  /** The framework on which the file's routes are registered, to override detection. */
  readonly framework?: 'express' | 'fastify' | 'hono';
}

/** Options of `remove`. */
export interface RemoveCommand extends Selection {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** Options of `price`. */
export interface PriceCommand extends RemoveCommand {
  readonly price: string;
}

/** Options of `add`, as the command line gives them. */
export interface AddCommand extends RemoveCommand, Pick<CheckOptions, 'start' | 'url'> {
  readonly price: string;
  /** An address, or `new` for an account on the embedded network. */
  readonly payTo: string;
  readonly facilitatorUrl?: string;
  /** How buyers can pay. With `mpp`, the code uses svc-x402/seller. */
  readonly protocols?: readonly PaymentProtocol[] | undefined;
  readonly install?: boolean;
  readonly withOverrides?: boolean;
  readonly allowTypeErrors?: boolean;
  readonly unchecked?: boolean;
  /** Every endpoint of a file or folder. */
  readonly all?: boolean;
  /** Notes about the change that the user accepts: each that changes what is paid stops the command otherwise. */
  readonly accept?: readonly string[] | undefined;
  /** Write the plan of `all`. */
  readonly yes?: boolean;
  /** The public origin under which the app lists what it sells in `/.well-known/x402`. */
  readonly origin?: string;
  /** Run the project's app afterwards and check the new paid endpoints. */
  readonly check?: boolean;
}

/** Options of `check`. */
export interface CheckCommand extends Selection, CheckOptions {
  /** The method for requesting a URL. */
  readonly method?: string;
  readonly json?: boolean;
}

/** Options of `list`. */
export interface ListCommand extends Pick<Selection, 'framework'> {
  readonly json?: boolean;
}
