/** An account of genesis whose key derives from the seed. */
export interface LocalAccount {
  /** `G…` */
  readonly address: string;
  /** `S…`; never logged. */
  readonly secret: string;
}

/** The accounts that exist when the network begins. */
export interface GenesisAccounts {
  /** Holds what nobody was given; its key is the hash of the passphrase, as on every Stellar network. */
  readonly root: LocalAccount;
  /** Pays for new accounts. */
  readonly friendbot: LocalAccount;
  /** Keeps offers on both sides of XLM/USDC. */
  readonly marketMaker: LocalAccount;
  /** Pays the fees of the local facilitator. */
  readonly sponsor: LocalAccount;
  /** The facilitator's 50 channel accounts. */
  readonly channels: readonly LocalAccount[];
  /** Issuer of testnet's USDC (`G…`). Nobody here has its key. */
  readonly usdcIssuer: string;
  /** USDC as a contract (`C…`). */
  readonly usdcContract: string;
  /** XLM as a contract (`C…`). */
  readonly nativeContract: string;
}
