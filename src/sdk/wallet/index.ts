/** A wallet that pays, and limits who may pay. */
export {
  type ConnectedWallet,
  createSvcWallet,
  type PasskeyKit,
  type SacClients,
  type SvcWallet,
  type SvcWalletOptions,
  type WalletBackend,
} from './createSvcWallet.ts';
export { agentSigner, passkeySigner } from './smartAccountSigners.ts';
export { createX402Fetch, type X402FetchOptions } from './x402Fetch.ts';
