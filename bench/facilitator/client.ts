import { Agent, request } from 'node:http';
import type { FacilitatorRequest } from '../../src/protocol/wire/index.ts';

/** The responses of both facilitators, limited to the fields that are used. */
export interface Answer {
  readonly isValid?: boolean;
  readonly success?: boolean;
  readonly errorReason?: string | null;
  readonly invalidReason?: string | null;
  readonly errorMessage?: string;
}

/** The seller's side of a facilitator, over persistent connections; the same for each facilitator measured. */
export class SellerClient {
  readonly #agent = new Agent({ keepAlive: true, noDelay: true });
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  post(path: '/verify' | '/settle', payment: FacilitatorRequest): Promise<Answer> {
    const body = JSON.stringify(payment);
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    };
    return new Promise((resolve, reject) => {
      const options = {
        host: '127.0.0.1',
        port: this.#port,
        path,
        method: 'POST',
        agent: this.#agent,
        headers,
      };
      const sent = request(options, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString()) as Answer));
      });
      sent.on('error', reject);
      sent.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
