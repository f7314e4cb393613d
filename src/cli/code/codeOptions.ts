/** Options of `add`, as the command line gives them. */
export interface AddCommand {
  readonly price: string;
  readonly payTo: string;
  readonly facilitatorUrl?: string;
  readonly dryRun?: boolean;
  readonly install?: boolean;
  readonly withOverrides?: boolean;
  readonly json?: boolean;
}

/** Options of `remove`. */
export interface RemoveCommand {
  readonly dryRun?: boolean;
  readonly json?: boolean;
}
