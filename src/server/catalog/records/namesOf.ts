/** Recipient suffix in a tool's key: `mcp://tool/<name>` has one after the name (`listedFor`). */
const OF_RECIPIENT = /@[GC][A-Z2-7]{55}(?=$|#)/;
const OF_TOOL = /#.*$/;

/** Returns all values by which a rule can name the resource under a key. */
export function namesOf(key: string): readonly string[] {
  const ofAll = key.replace(OF_RECIPIENT, '');
  return [...new Set([key, ofAll, key.replace(OF_TOOL, ''), ofAll.replace(OF_TOOL, '')])];
}
