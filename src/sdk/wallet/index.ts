/** A wallet that pays, and the limits on who may pay. */
export {
  accountSignature,
  type Grants,
  type Signer,
  type SignerKey,
  toSigner,
  toSignerKey,
} from './accountValues.ts';
export {
  type ConnectedWallet,
  createSvcWallet,
  type PasskeyKit,
  type SacClients,
  type SvcWallet,
  type SvcWalletOptions,
  type WalletBackend,
} from './createSvcWallet.ts';
export { lookUpPayment } from './lookUpPayment.ts';
export type { SessionCeiling, SpendingStore, SpentOfAsset } from './sessionBudget.ts';
export { agentSigner, passkeySigner } from './smartAccountSigners.ts';
export { spendingFile } from './spendingFile.ts';
export { USDC, usdc } from './usdc.ts';
export { createX402Fetch, type PaymentChoice, type X402FetchOptions } from './x402Fetch.ts';
