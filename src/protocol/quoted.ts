import { visibleText } from '../../common/visibleText.ts';

const MAX_TEXT = 256;

/** Quotes text from others for an agent: on one line, without invisible characters. JSON's quotes mark where it ends. */
export function quoted(text: string, most = MAX_TEXT): string {
  const visible = visibleText(text).replace(/\s+/gu, ' ');
  const clamped = visible.length > most ? `${visible.slice(0, most)}…` : visible;
  return JSON.stringify(clamped);
}
