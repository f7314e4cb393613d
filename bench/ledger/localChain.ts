/** One sender: sends a transaction and waits for its receipt. */
export type SendAndWait = () => Promise<void>;

/** What every local chain is measured by. */
export interface RunningChain {
  /** Milliseconds from the start of the process to its first answer. */
  readonly firstAnswer: number;
  /** What it can be made to send. `prepare` gives one sender an account, over its own connection. */
  readonly transactions: readonly {
    readonly name: 'payment' | 'contract call';
    prepare(sender: number, count: number): Promise<SendAndWait>;
  }[];
  memory(): number;
  stop(): Promise<void>;
}

export interface LocalChain {
  readonly name: string;
  /** Undefined when it cannot run on this machine. */
  readonly start: (() => Promise<RunningChain>) | undefined;
}
