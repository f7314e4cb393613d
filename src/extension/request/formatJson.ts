/**
 * Formats JSON with two spaces, token by token: numbers keep all their digits, and repeated members stay.
 * @returns `undefined` if the text is not JSON
 */
export function formatJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s[\]{},:"]+/g) ?? [];
  const parts: string[] = [];
  let depth = 0;
  const line = () => `\n${'  '.repeat(depth)}`;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1];
    if (token === '{' || token === '[') {
      depth += 1;
      parts.push(token);
      if (next !== '}' && next !== ']') parts.push(line());
    } else if (token === '}' || token === ']') {
      depth -= 1;
      const before = tokens[index - 1];
      if (before !== '{' && before !== '[') parts.push(line());
      parts.push(token);
    } else if (token === ',') parts.push(',', line());
    else parts.push(token === ':' ? ': ' : token);
  }
  return parts.join('');
}
