import { createHash } from 'node:crypto';
import type { ClosedTransaction } from '../history/index.ts';
import { callTree, type RecordedCall, type RecordedStep } from './callTree.ts';
import { functionName } from './callWords.ts';
import { type ContractBook, contractBook, type KnownContract } from './contractBook.ts';
import type { ContractInterface } from './contractInterface.ts';
import type { TraceSource } from './transactionTrace.ts';
import { typeText } from './typeText.ts';

/** Maximum number of functions in a report, because contract authors choose their names. */
const MAX_FUNCTIONS = 5_000;
/** Maximum number of contract addresses listed for a function. */
const MAX_ADDRESSES = 5;

/** The range of a cost over several calls, in whole numbers. */
export interface CostSpread {
  readonly least: number;
  readonly mean: number;
  readonly most: number;
}

/** What the calls of a function consumed. */
export interface FunctionCost {
  /** Its name, or a digest of its interface, which is the same in each run; its address if it has neither. */
  readonly contract: string;
  /** The function's name. */
  readonly function: string;
  /** `C…`, up to five. */
  readonly addresses: readonly string[];
  /** Number of calls. */
  readonly calls: number;
  /** How many of them failed. */
  readonly failed: number;
  /** Including nested calls. */
  readonly cpuInstructions: CostSpread;
  /** Excluding nested calls. */
  readonly ownCpuInstructions: CostSpread;
  /** Memory used by the calls, in bytes. */
  readonly memoryBytes: CostSpread;
}

/** What transactions consumed, by contract function. */
export interface CostReport {
  /** Version of this format. */
  readonly version: 1;
  /** Protocol of the network. */
  readonly protocol: number;
  /** Number of transactions that called a contract. */
  readonly transactions: number;
  /** Sorted by contract and function. */
  readonly functions: readonly FunctionCost[];
}

/** Collects what the calls of transactions consume. */
export class CostCollector {
  readonly #functions = new Map<string, FunctionSum>();
  #transactions = 0;

  /** Adds a transaction whose ledger has just closed. */
  add(transaction: ClosedTransaction, { state, callCosts }: TraceSource): void {
    const costs = callCosts.of(transaction.innerHash ?? transaction.hash);
    if (costs === undefined) return;
    this.#transactions += 1;
    const tree = callTree(transaction.diagnosticEvents, transaction.successful, costs);
    this.#addSteps(tree.steps, contractBook(state));
  }

  report(protocol: number): CostReport {
    const functions = [...this.#functions.values()].map((sum) => sum.total());
    functions.sort((a, b) => compare(a.contract, b.contract) || compare(a.function, b.function));
    return { version: 1, protocol, transactions: this.#transactions, functions };
  }

  #addSteps(steps: readonly RecordedStep[], book: ContractBook): void {
    for (const step of steps) {
      if (step.kind !== 'call') continue;
      this.#addCall(step.call, book(step.call.contract));
      this.#addSteps(step.call.steps, book);
    }
  }

  #addCall(call: RecordedCall, contract: KnownContract): void {
    const label = labelOf(contract);
    const name = functionName(call.function);
    const key = `${label} ${name}`;
    let sum = this.#functions.get(key);
    if (sum === undefined) {
      if (this.#functions.size >= MAX_FUNCTIONS) return;
      sum = new FunctionSum(label, name);
      this.#functions.set(key, sum);
    }
    sum.add(call);
  }
}

class FunctionSum {
  readonly #contract: string;
  readonly #function: string;
  readonly #addresses = new Set<string>();
  readonly #cpu = new Spread();
  readonly #own = new Spread();
  readonly #memory = new Spread();
  #failed = 0;

  constructor(contract: string, name: string) {
    this.#contract = contract;
    this.#function = name;
  }

  add({ contract, outcome, cost, steps }: RecordedCall): void {
    if (cost === undefined) return;
    if (this.#addresses.size < MAX_ADDRESSES) this.#addresses.add(contract);
    if (outcome === 'failed') this.#failed += 1;
    const within = steps.reduce(
      (sum, step) => sum + (step.kind === 'call' ? (step.call.cost?.cpuInstructions ?? 0) : 0),
      0,
    );
    this.#cpu.add(cost.cpuInstructions);
    this.#own.add(Math.max(0, cost.cpuInstructions - within));
    this.#memory.add(cost.memoryBytes);
  }

  total(): FunctionCost {
    return {
      contract: this.#contract,
      function: this.#function,
      addresses: [...this.#addresses],
      calls: this.#cpu.count,
      failed: this.#failed,
      cpuInstructions: this.#cpu.spread(),
      ownCpuInstructions: this.#own.spread(),
      memoryBytes: this.#memory.spread(),
    };
  }
}

class Spread {
  count = 0;
  #sum = 0;
  #least = Number.POSITIVE_INFINITY;
  #most = 0;

  add(value: number): void {
    this.count += 1;
    this.#sum += value;
    this.#least = Math.min(this.#least, value);
    this.#most = Math.max(this.#most, value);
  }

  spread(): CostSpread {
    if (this.count === 0) return { least: 0, mean: 0, most: 0 };
    return { least: this.#least, mean: Math.round(this.#sum / this.count), most: this.#most };
  }
}

const digests = new WeakMap<ContractInterface, string>();

/**
 * A label that is the same in each run, wherever the contract is deployed and however its code changes behind its interface.
 */
function labelOf(contract: KnownContract): string {
  if (contract.name !== null) return contract.name;
  const { functions } = contract.interface;
  if (functions.size === 0) return contract.id;
  let digest = digests.get(contract.interface);
  if (digest === undefined) {
    const signatures = [...functions].map(
      ([name, inputs]) => `${name}(${inputs.map(({ type }) => typeText(type)).join(',')})`,
    );
    digest = createHash('sha256').update(signatures.sort().join('\n')).digest('hex').slice(0, 8);
    digests.set(contract.interface, digest);
  }
  return `interface ${digest}`;
}

/** Compares by code units, which is the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
