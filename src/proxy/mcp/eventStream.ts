/** An event of a stream was longer than allowed. */
export class EventTooLong extends Error {}

/**
 * Reads server-sent events, and returns the data of each message. Events of other names and those without data are left out.
 * @throws EventTooLong
 */
export async function* eventsIn(
  stream: AsyncIterable<Uint8Array>,
  maxLength: number,
): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  let data: string[] = [];
  let name = '';
  let size = 0;
  for await (const piece of stream) {
    rest += decoder.decode(piece, { stream: true });
    if (rest.length + size > maxLength) throw new EventTooLong();
    for (;;) {
      const end = /\r\n|\n|\r(?!$)/.exec(rest);
      if (end === null) break;
      const line = rest.slice(0, end.index);
      rest = rest.slice(end.index + end[0].length);
      if (line === '') {
        if (data.length > 0 && (name === '' || name === 'message')) yield data.join('\n');
        [data, name, size] = [[], '', 0];
        continue;
      }
      const [, field = '', value = ''] = /^([^:]*)(?:: ?(.*))?$/s.exec(line) ?? [];
      if (field === 'data') {
        data.push(value);
        size += value.length;
      } else if (field === 'event') name = value;
    }
  }
}

/** Writes a message as an event. @param text JSON */
export function eventOf(text: string): string {
  return `event: message\ndata: ${text.replace(/[\r\n]/g, ' ')}\n\n`;
}
