/** A genesis account whose key derives from the seed. */
export interface LocalAccount {
  /** `G…` */
  readonly address: string;
  /** `S…`; never logged. */
  readonly secret: string;
}

/** The accounts and assets that exist when the network begins. */
export interface GenesisAccounts {
  /** Holds the remaining lumens; its key is the hash of the passphrase, as on every Stellar network. */
  readonly root: LocalAccount;
  /** Funds accounts. */
  readonly friendbot: LocalAccount;
  /** Keeps offers on both sides of XLM/USDC. */
  readonly marketMaker: LocalAccount;
  /** Pays the fees of the local facilitator. */
  readonly sponsor: LocalAccount;
  /** The facilitator's 50 channel accounts. */
  readonly channels: readonly LocalAccount[];
  /** Issuer of testnet's USDC (`G…`). Its key is not available here. */
  readonly usdcIssuer: string;
  /** USDC as a contract (`C…`). */
  readonly usdcContract: string;
  /** XLM as a contract (`C…`). */
  readonly nativeContract: string;
}
