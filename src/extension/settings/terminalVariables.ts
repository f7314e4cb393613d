/** Values of environment variables by name. */
export type Variables = Readonly<Record<string, string>>;

/** Where a terminal's own value comes from, the strongest first. */
export interface OwnVariables {
  /** `terminal.integrated.env.<platform>`; `null` removes a variable from terminals. */
  readonly terminalSetting: Readonly<Record<string, string | null>>;
  /** What the editor was started with, such as the variables of the login shell. */
  readonly editor: Readonly<Record<string, string | undefined>>;
  /** Texts of the project's `.env` files, the strongest first. A program that reads them keeps variables that are already set. */
  readonly envFiles: readonly string[];
}

/** What the user chose for terminals that have values of their own. */
export type TerminalChoice = 'own' | 'service' | undefined;

/** A variable with a terminal's own value, which differs from the selected network's. */
export interface Difference {
  readonly name: string;
  readonly own: string;
  readonly ours: string;
}

export interface TerminalVariables {
  /** Variables to set. */
  readonly set: Variables;
  /** Own values that differ from the selected network's. */
  readonly differences: readonly Difference[];
}

/**
 * Decides which variables terminals and debug sessions get. An own value is kept. If one of them differs, none of ours is set:
 * a program with the facilitator of one network and the RPC server of another would pay, or be paid, in neither.
 * @param ours the addresses of the selected network
 */
export function terminalVariables(
  ours: Variables,
  own: OwnVariables,
  choice: TerminalChoice,
): TerminalVariables {
  const differences = Object.entries(ours).flatMap(([name, value]): Difference[] => {
    const other = ownValue(name, own);
    return other === undefined || isSameAddress(other, value)
      ? []
      : [{ name, own: other, ours: value }];
  });
  const keepsOwn = differences.length > 0 && choice !== 'service';
  return { set: keepsOwn ? {} : ours, differences };
}

function ownValue(name: string, own: OwnVariables): string | undefined {
  const { terminalSetting, editor, envFiles } = own;
  if (Object.hasOwn(terminalSetting, name)) return terminalSetting[name]?.trim() || undefined;
  return (
    editor[name]?.trim() ||
    envFiles.map((text) => valueInEnvFile(text, name)).find((value) => value !== undefined)
  );
}

/** The value of a variable in the text of a `.env` file; `undefined` if it has none there. */
export function valueInEnvFile(text: string, name: string): string | undefined {
  let found: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, key, raw = ''] = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=\s*(.*)$/.exec(line) ?? [];
    if (key !== name) continue;
    const quoted = /^(?:"([^"]*)"|'([^']*)'|`([^`]*)`)\s*(?:#.*)?$/.exec(raw.trim());
    const value = quoted?.[1] ?? quoted?.[2] ?? quoted?.[3] ?? raw.split(/\s#/)[0]?.trim() ?? '';
    // An empty value sets the variable, to nothing that could be asked.
    found = value === '' ? undefined : value;
  }
  return found;
}

/** Whether two addresses are of the same server: names of this machine count as one. */
function isSameAddress(one: string, other: string): boolean {
  return normalized(one) === normalized(other);
}

function normalized(address: string): string {
  try {
    const { protocol, hostname, port, pathname } = new URL(address);
    const host = /^(localhost|\[::1\])$/.test(hostname) ? '127.0.0.1' : hostname;
    return `${protocol}//${host}:${port}${pathname.replace(/(?<!\/)\/+$/, '')}`;
  } catch {
    return address;
  }
}
