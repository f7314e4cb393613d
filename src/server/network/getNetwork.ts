import { z } from 'zod';
import { callAndRead, type RpcCall } from './rpcCall.ts';

const schema = z.object({
  passphrase: z.string(),
  protocolVersion: z.number(),
  friendbotUrl: z.string().nullish(),
});

export type NetworkDescription = z.infer<typeof schema>;

/** Which network the server is on. */
export function getNetwork(call: RpcCall): Promise<NetworkDescription> {
  return callAndRead(call, 'getNetwork', undefined, schema);
}
