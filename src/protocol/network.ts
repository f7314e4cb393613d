/** The only x402 protocol version this system speaks (spec: Versioning). */
export const X402_VERSION = 2;

/** The only network this system serves, as a CAIP-2 id (spec: What the service does, 7). */
export const STELLAR_TESTNET = 'stellar:testnet';

/** Passphrase of the Stellar test network, hashed into every signature made for it. */
export const TESTNET_PASSPHRASE = 'Test SDF Network ; September 2015';

/** Pattern under which `/supported` lists signers: every Stellar network. */
export const STELLAR_SIGNER_PATTERN = 'stellar:*';

/** Seconds between ledgers if no better estimate is available; x402 buyers assume the same. */
export const NOMINAL_LEDGER_SECONDS = 5;

/** The port the facilitator listens on by default. */
export const DEFAULT_FACILITATOR_PORT = 4021;
