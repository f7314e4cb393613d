import { visibleText } from './visibleText.ts';

const MAX_TEXT = 256;

/** A stranger's text for an agent to read: on one line, without what a reader does not see. JSON's quotes end it where it ends. */
export function quoted(text: string, most = MAX_TEXT): string {
  const visible = visibleText(text).replace(/\s+/gu, ' ');
  const clamped = visible.length > most ? `${visible.slice(0, most)}…` : visible;
  return JSON.stringify(clamped);
}
