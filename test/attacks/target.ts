import { type Answered, type Asked, WIRE, type Wire } from './wire.ts';

/** Where the service and its network are, and what nobody may read there. */
export interface TargetParts {
  readonly facilitator: string;
  /** The port of the embedded network: RPC, Horizon, friendbot, control. */
  readonly ledger: string;
  readonly operatorToken: string;
  readonly passkeyToken: string;
  /** Secrets of the accounts that the service signs with. */
  readonly secrets: readonly string[];
}

/** How a stack of Node or a path of this project's sources looks in a text. */
const STACK =
  /\n\s+at [^\n]+:\d+:\d+|node:internal|\/node_modules\/|\/src\/(?:server|ledger|machine)\//;

/** The service as a stranger reaches it. Every answer is kept until it is searched for forbidden content. */
export class Target {
  readonly parts: TargetParts;
  readonly #wire: Wire;
  readonly #seen: string[] = [];

  /** @param wire how requests are sent to it */
  constructor(parts: TargetParts, wire: Wire = WIRE) {
    this.parts = parts;
    this.#wire = wire;
  }

  /** Asks the facilitator. */
  service(asked: Asked): Promise<Answered> {
    return this.#ask(this.parts.facilitator, asked);
  }

  /** Asks the embedded network. */
  network(asked: Asked): Promise<Answered> {
    return this.#ask(this.parts.ledger, asked);
  }

  /** Posts JSON to the facilitator. */
  post(path: string, body: unknown, headers: Readonly<Record<string, string>> = {}) {
    return this.service({
      method: 'POST',
      path,
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  }

  /** Writes bytes to one of the two ports and returns the answer. */
  async bytes(
    port: 'facilitator' | 'ledger',
    pieces: string | readonly (string | Buffer)[],
    quietMs?: number,
  ): Promise<string> {
    const text = await this.#wire.exchange(this.parts[port], pieces, quietMs);
    this.see(text);
    return text;
  }

  /** Keeps a text that came from the product, to be searched. */
  see(text: string): void {
    this.#seen.push(text);
  }

  /** What was found in the texts since the last call. */
  leaks(): readonly string[] {
    const { secrets, operatorToken, passkeyToken } = this.parts;
    const texts = this.#seen.splice(0);
    const found = new Set<string>();
    for (const text of texts) {
      if (STACK.test(text)) found.add(`a stack trace: ${text.slice(0, 300)}`);
      if ([...secrets, operatorToken, passkeyToken].some((secret) => text.includes(secret))) {
        found.add('a secret');
      }
    }
    return [...found];
  }

  async #ask(base: string, asked: Asked): Promise<Answered> {
    const answered = await this.#wire.ask(base, asked);
    this.see(answered.text);
    this.see(JSON.stringify(answered.headers));
    return answered;
  }
}
