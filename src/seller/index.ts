/**
 * The seller's side of a paid request: terms and a request in, decisions out. Pure: facilitator, handler, store and time come in
 * as arguments. A proxy, a handler of an app and a tool of an MCP server all sell through it.
 */
export {
  type AnswerReason,
  carriesPayment,
  errorAnswer,
  type SalePayment,
  type Served,
  varyOf,
} from './decide.ts';
export {
  type ListedTool,
  owedAnswer,
  PRICE_META,
  paidMeta,
  priceMeta,
  priceSentence,
  SELLER_META,
  SOLD_METHODS,
  type SoldCall,
  type ToolError,
  type ToolResult,
  toolAnswerOf,
  toolDeclaration,
  toolRequest,
} from './mcp/toolSale.ts';
export { MPP_HEADERS, type MppSecrets, mppProtocol } from './mpp/mppProtocol.ts';
export type {
  Offer,
  OfferedResource,
  PageLook,
  SellerAnswer,
  SellerRequest,
  SettleWhen,
} from './offer.ts';
export { isAccent } from './page.ts';
export { privateCaching } from './privateCaching.ts';
export { type ReceiptKey, receiptKey, withReceipts } from './receipts.ts';
export {
  type MemoryBookOptions,
  memoryBook,
  type Remembered,
  type Sale,
  type SaleBook,
} from './saleBook.ts';
export { type SellerPorts, type Sold, sell } from './sell.ts';
export type {
  FacilitatorAnswer,
  FacilitatorCall,
  RefusedAt,
  SellerProtocol,
} from './sellerProtocol.ts';
export { ALLOWABLE_PROBLEMS, readTarget, type Target, type TargetProblem } from './target.ts';
export { x402Protocol } from './x402/x402Protocol.ts';
