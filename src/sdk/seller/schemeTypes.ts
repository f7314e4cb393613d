/**
 * The shapes of `@x402/core` that a scheme meets, as far as it meets them. They are written down here
 * and not imported: whatever version of the package an app has, it brings itself.
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

/** What a facilitator says of one scheme in `/supported`. */
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

/** A price as sellers write it: dollars, or an amount of an asset. */
export type Price = string | number | AssetAmount;
