/** One request of one client: a simulation, or a transaction sent and waited for. */
export type SendAndWait = () => Promise<void>;

export type RequestName = 'simulate' | 'payment' | 'contract call';

/** What every local chain is measured by. */
export interface RunningChain {
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswer: number;
  /** Megabytes right after it. */
  readonly memoryAtFirst: number;
  /** How many clients can send at once, each from an account of its own. */
  readonly senders: number;
  /** What is asked of it. `prepare` readies `count` requests of one client, on a connection of its own. */
  readonly requests: readonly {
    readonly name: RequestName;
    prepare(client: number, count: number): Promise<SendAndWait>;
  }[];
  memory(): number;
  stop(): Promise<void>;
}

export interface LocalChain {
  readonly name: string;
  /** Undefined when it cannot run on this machine. */
  readonly start: (() => Promise<RunningChain>) | undefined;
}
