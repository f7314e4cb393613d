/** Recipients of tools: the key of `mcp://tool/<name>` has one behind the name (`listedFor`). */
const OF_RECIPIENT = /@[GC][A-Z2-7]{55}(?=$|#)/;
const OF_TOOL = /#.*$/;

/** All values by which a rule may name the resource under a key. */
export function namesOf(key: string): readonly string[] {
  const ofAll = key.replace(OF_RECIPIENT, '');
  return [...new Set([key, ofAll, key.replace(OF_TOOL, ''), ofAll.replace(OF_TOOL, '')])];
}
