/** Scheme `upto` (experimental) for `@x402/core`: one class for buyers, one for sellers. */
export {
  accountSigner,
  type MoneyMoved,
  type PaymentSigner,
  type SignHash,
  type SigningRequest,
  type SorobanValue,
  type WalletSigner,
  X402Error,
  type X402ErrorCode,
} from '../exact/index.ts';
export type {
  AssetAmount,
  Network,
  Price,
  Requirements,
  SupportedKind,
} from '../seller/index.ts';
export { type UptoClientOptions, UptoStellarClient } from './uptoClient.ts';
export { type UptoServerOptions, UptoStellarServer } from './uptoServer.ts';
