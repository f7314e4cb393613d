/**
 * `svc-x402/seller`: the seller's side of x402 for apps. One seller, and an adapter for each kind of handler: Fetch, Node and
 * Express, Hono, Fastify.
 */
export type { AtomicAmount, StellarAddress } from '../protocol/index.ts';
export {
  type MemoryBookOptions,
  memoryBook,
  type PageLook,
  type Remembered,
  type Sale,
  type SaleBook,
  type Served,
  type SettleWhen,
} from '../seller/index.ts';
export {
  createSeller,
  type FastifyRoute,
  type FetchHandler,
  type HonoContext,
  type HonoMiddleware,
  type NodeMiddleware,
  type Seller,
} from './createSeller.ts';
export type { FastifyReply, FastifyRequest } from './node/fastifyRoute.ts';
export type { NodeResponse } from './node/heldResponse.ts';
export type { NodeRequest } from './node/nodeRequest.ts';
export type { SellerLimits, SellerOptions, Terms } from './options.ts';
export { SellerOptionError } from './options.ts';
export { type Payment, paymentOf } from './payment.ts';
export type { SoldPage } from './soldPage.ts';
