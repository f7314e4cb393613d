export { askRpc, askText } from './askText.ts';
export { getJson, ReadError } from './getJson.ts';
export { nodeTransport } from './nodeTransport.ts';
