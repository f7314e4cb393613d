/** One request of one client: a simulation, or a transaction that is sent and awaited. */
export type SendAndWait = () => Promise<void>;

export type RequestName = 'simulate' | 'payment' | 'contract call';

/** The interface through which every local chain is measured. */
export interface RunningChain {
  /** Milliseconds from the start of the process to its first response. */
  readonly firstAnswer: number;
  /** Megabytes right after it. */
  readonly memoryAtFirst: number;
  /** Number of clients that can send at once, each from its own account. */
  readonly senders: number;
  /** The requests to it. `prepare` prepares `count` requests of one client, on its own connection. */
  readonly requests: readonly {
    readonly name: RequestName;
    prepare(client: number, count: number): Promise<SendAndWait>;
  }[];
  memory(): number;
  stop(): Promise<void>;
}

export interface LocalChain {
  readonly name: string;
  /** Undefined if it cannot run on this machine. */
  readonly start: (() => Promise<RunningChain>) | undefined;
}
