const ACCOUNT = [
  [1, 'auth_required'],
  [2, 'auth_revocable'],
  [4, 'auth_immutable'],
  [8, 'auth_clawback_enabled'],
] as const;

const TRUSTLINE = [
  [1, 'authorized'],
  // So it is spelled.
  [2, 'authorized_to_maintain_liabilites'],
  [4, 'clawback_enabled'],
] as const;

type Names = readonly (readonly [number, string])[];

/** `<name>_flags` and `<name>_flags_s` of an account's flags; nothing where none is set. */
export function accountFlagFields(name: string, flags: number | null): Record<string, unknown> {
  return flagFields(name, flags, ACCOUNT);
}

/** As `accountFlagFields`, for the flags of a trustline. */
export function trustlineFlagFields(name: string, flags: number): Record<string, unknown> {
  return flagFields(name, flags, TRUSTLINE);
}

function flagFields(name: string, flags: number | null, names: Names): Record<string, unknown> {
  if (flags === null || flags === 0) return {};
  const set = names.filter(([flag]) => (flags & flag) !== 0);
  if (set.length === 0) return {};
  return {
    [`${name}_flags`]: set.map(([flag]) => flag),
    [`${name}_flags_s`]: set.map(([, text]) => text),
  };
}
