import { Client, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { decodeHeaderMessage, PAYMENT_SIGNATURE_HEADER } from '../../protocol/index.ts';
import { CREDENTIAL_META, credentialToJson, readCredential } from '../../protocol/mpp/index.ts';
import { boundedFetch } from './boundedFetch.ts';
import type { Exchange, SoldTool } from './purse.ts';
import {
  PAYMENT_META,
  responseOfError,
  responseOfResult,
  type ToolResponse,
} from './toolResponse.ts';

/** As long as for a resource over HTTP. */
const ANSWER_WITHIN_MS = 60_000;

/**
 * Calls a tool sold over x402's MCP transport (specs/transports-v2/mcp.md) or that of MPP (draft-payment-transport-mcp-00) as if it
 * were a resource over HTTP: a price is a 402 with terms, and a payment is sent in a header. All are therefore bought by the same
 * rules. Over Streamable HTTP, in revision 2026-07-28 or an older one; no redirect is followed.
 */
export function reachTool(version: string, tool: SoldTool): Exchange {
  let connected: Promise<Client> | undefined;
  /** The challenges of MPP that came, by their ids and as the seller wrote them. */
  const received = new Map<string, unknown>();
  const connect = async () => {
    const client = new Client(
      { name: 'svc-x402', title: 'Svc x402', version },
      { versionNegotiation: { mode: 'auto' }, inputRequired: { autoFulfill: false } },
    );
    const transport = new StreamableHTTPClientTransport(tool.url, {
      fetch: boundedFetch(fetch),
      requestInit: { headers: tool.headers, redirect: 'error' },
      // A broken stream is not resumed: the ledger shows the outcome of a payment.
      reconnectionOptions: {
        maxRetries: 0,
        initialReconnectionDelay: 0,
        maxReconnectionDelay: 0,
        reconnectionDelayGrowFactor: 1,
      },
    });
    await client.connect(transport, { timeout: ANSWER_WITHIN_MS });
    return client;
  };
  const metaOf = (headers: Readonly<Record<string, string>>): Record<string, unknown> => {
    const payment = headers[PAYMENT_SIGNATURE_HEADER];
    const credential = readCredential(headers['authorization'] ?? '');
    return {
      ...(payment === undefined ? {} : { [PAYMENT_META]: decodeHeaderMessage(payment) }),
      ...(credential === undefined
        ? {}
        : {
            [CREDENTIAL_META]: credentialToJson(credential, received.get(credential.challenge.id)),
          }),
    };
  };
  const read = ({ response, challenges }: ToolResponse): Response => {
    for (const { challenge, sent } of challenges) received.set(challenge.id, sent);
    return response;
  };
  return {
    async send(headers, signal) {
      connected ??= connect();
      try {
        const client = await connected;
        const _meta = metaOf(headers);
        const result = await client.callTool(
          { name: tool.name, arguments: { ...tool.arguments }, _meta },
          { timeout: ANSWER_WITHIN_MS, ...(signal === undefined ? {} : { signal }) },
        );
        return read(responseOfResult(result));
      } catch (cause) {
        if (cause instanceof ProtocolError) return read(responseOfError(cause));
        if (signal?.aborted) throw cause;
        throw new TypeError("the MCP server's response is not readable", { cause });
      }
    },
    async close() {
      await (await connected?.catch(() => undefined))?.close().catch(() => undefined);
    },
  };
}
