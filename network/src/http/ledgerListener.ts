import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { readBody } from '../../../common/machine/readBody.ts';
import type { ControlServer } from '../control/index.ts';
import { LIMITS, type RpcServer } from '../rpc/index.ts';
import { answerControl, isControlRequest } from './controlEndpoint.ts';
import { inTurn } from './inTurn.ts';
import { answeredByHead, refusedByHost } from './requestHead.ts';
import { answerRpc, isMisdirectedRpc, isRpcRequest, refuseMethod } from './rpcEndpoint.ts';

/**
 * Handles all requests on the port: Stellar RPC, control, and everything else.
 *
 * RPC calls do not go through Hono, because they are what a developer waits for and need neither routing nor `Request` objects.
 *
 * @param host the address besides the loopback interface on which the server listens
 * @param answerOther answers everything else; the body of a request is in its `rawBody`
 */
export function ledgerListener(
  rpc: RpcServer,
  control: ControlServer,
  answerOther: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
  onFault: (fault: Error) => void,
  host?: string,
): RequestListener {
  const end = (request: IncomingMessage, response: ServerResponse, error: unknown): void => {
    if (!response.writableEnded) response.destroy();
    // A client that disconnects in the middle of a request is not an error of the network.
    if (!request.destroyed) onFault(error instanceof Error ? error : new Error(String(error)));
  };
  const answerRest = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      const body = await readBody(request, LIMITS.bodyBytes);
      if (body.status === 'broken_off') return;
      if (body.status === 'too_large') {
        response.writeHead(413, { Connection: 'close' }).end('Request body is too large\n');
        return;
      }
      // Hono's adapter expects a body that was already read here.
      Object.assign(request, { rawBody: Buffer.from(body.text) });
    }
    await answerOther(request, response);
  };
  return inTurn((request, response) => {
    if (isRpcRequest(request)) {
      if (refusedByHost(request, response, host)) return;
      answerRpc(rpc, request, response).catch((error: unknown) => end(request, response, error));
      return;
    }
    const isControl = isControlRequest(request);
    if (answeredByHead(request, response, !isControl, host)) return;
    if (isControl) {
      answerControl(control, request, response).catch((error: unknown) =>
        end(request, response, error),
      );
      return;
    }
    if (isMisdirectedRpc(request)) {
      refuseMethod(response);
      return;
    }
    answerRest(request, response).catch((error: unknown) => end(request, response, error));
  });
}
