/**
 * The parts of `@x402/core` types that a scheme uses. They are declared here and not imported, because
 * an app brings its own version of the package.
 */

/** A CAIP-2 network id. */
export type Network = `${string}:${string}`;

/** Terms of one way to pay. */
export interface Requirements {
  scheme: string;
  network: Network;
  asset: string;
  amount: string;
  payTo: string;
  maxTimeoutSeconds: number;
  extra: Record<string, unknown>;
}

/** A facilitator's entry for one scheme in `/supported`. */
export interface SupportedKind {
  x402Version: number;
  scheme: string;
  network: Network;
  extra?: Record<string, unknown>;
}

/** An amount of an asset, in atomic units. */
export interface AssetAmount {
  asset: string;
  amount: string;
  extra?: Record<string, unknown>;
}

/** A seller's price: dollars, or an amount of an asset. */
export type Price = string | number | AssetAmount;
