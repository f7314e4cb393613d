export { getJson, ReadError } from './getJson.ts';
export { nodeTransport } from './nodeTransport.ts';
