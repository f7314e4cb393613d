const ACCOUNT = [
  [1, 'auth_required'],
  [2, 'auth_revocable'],
  [4, 'auth_immutable'],
  [8, 'auth_clawback_enabled'],
] as const;

const TRUSTLINE = [
  [1, 'authorized'],
  // Spelled this way in Horizon.
  [2, 'authorized_to_maintain_liabilites'],
  [4, 'clawback_enabled'],
] as const;

type Names = readonly (readonly [number, string])[];

/** Flags as numbers and as names; absent if none is set. */
export type FlagFields<Name extends string, Table extends Names> = {
  readonly [name in `${Name}_flags`]?: readonly Table[number][0][];
} & {
  readonly [name in `${Name}_flags_s`]?: readonly Table[number][1][];
};

/** `<name>_flags` and `<name>_flags_s` of an account's flags. */
export function accountFlagFields<Name extends string>(
  name: Name,
  flags: number | null,
): FlagFields<Name, typeof ACCOUNT> {
  return flagFields(name, flags, ACCOUNT);
}

/** Like `accountFlagFields`, for the flags of a trustline. */
export function trustlineFlagFields<Name extends string>(
  name: Name,
  flags: number,
): FlagFields<Name, typeof TRUSTLINE> {
  return flagFields(name, flags, TRUSTLINE);
}

function flagFields<Name extends string, Table extends Names>(
  name: Name,
  flags: number | null,
  names: Table,
): FlagFields<Name, Table> {
  const set = names.filter(([flag]) => ((flags ?? 0) & flag) !== 0);
  const fields: object =
    set.length === 0
      ? {}
      : {
          [`${name}_flags`]: set.map(([flag]) => flag),
          [`${name}_flags_s`]: set.map(([, text]) => text),
        };
  return fields as FlagFields<Name, Table>;
}
