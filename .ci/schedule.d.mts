export interface Stage {
  readonly name: string;
  readonly usual: number;
  readonly after?: readonly string[];
  readonly waits?: boolean;
}

export interface SlowFile {
  readonly file: string;
  readonly seconds: number;
  readonly processor: number;
  readonly children: number;
  readonly idle: number;
  readonly waits: Readonly<Record<string, number>>;
}

export function withNeeds<S extends Stage>(all: readonly S[], names: readonly string[]): S[];

export function next<S extends Stage>(
  stages: readonly S[],
  ended: ReadonlyMap<string, { readonly status: string }>,
  running: ReadonlyMap<string, S>,
  lanes: number,
): S | undefined;

export function countTests(log: string): { readonly passed: number; readonly failed: number };

export function failuresOf(log: string): string[];

export function slowest(folder: string, most: number): SlowFile[];

export function waitTable(files: readonly SlowFile[]): string;
