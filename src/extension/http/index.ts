export { askRpc, askText } from './askText.ts';
export { decodedBody, encodingsOf } from './decodedBody.ts';
export {
  type CutReason,
  type Exchange,
  type ExchangeHead,
  headerOf,
  whyNoResponse,
} from './exchange.ts';
export { getJson, ReadError } from './getJson.ts';
export { type NodeResponse, type NodeTransport, nodeTransport } from './nodeTransport.ts';
export { withoutMarkup } from './withoutMarkup.ts';
