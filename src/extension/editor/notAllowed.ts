/** Why a tool is refused whose setting does not allow it. */
export function notAllowed(what: string): Error {
  return new Error(
    `Agents in this editor may not ${what}. Run "Svc: Let Agents Find Endpoints…" to allow it.`,
  );
}
