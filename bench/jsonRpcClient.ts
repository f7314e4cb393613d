import { Agent, request } from 'node:http';
import { jsonRpcCall, readJsonRpcAnswer } from '../src/protocol/index.ts';

/** A JSON-RPC client over one persistent connection, the same for every server measured. */
export class JsonRpcClient {
  readonly #url: URL;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  #id = 0;

  constructor(url: string) {
    this.#url = new URL(url);
  }

  /** @throws Error with the server's message */
  async call(method: string, params: object | null): Promise<unknown> {
    this.#id += 1;
    const id = this.#id;
    const text = await this.#post(jsonRpcCall(id, method, params ?? undefined));
    const answer = readJsonRpcAnswer(text, id);
    if (answer.kind === 'result') return answer.result;
    throw new Error(`${method}: ${answer.kind === 'error' ? answer.message : answer.why}`);
  }

  close(): void {
    this.#agent.destroy();
  }

  #post(body: string): Promise<string> {
    return new Promise((resolve, reject) => {
      const outgoing = request(
        this.#url,
        {
          method: 'POST',
          agent: this.#agent,
          headers: {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          },
        },
        (incoming) => {
          const chunks: Buffer[] = [];
          incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
          incoming.on('end', () => resolve(Buffer.concat(chunks).toString()));
          incoming.on('error', reject);
        },
      );
      outgoing.on('error', reject);
      outgoing.end(body);
    });
  }
}
