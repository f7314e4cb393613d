/** Folder of the agents' key files in a data folder. */
export const AGENTS_FOLDER = 'agents';

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/** Whether a text can be the name of an agent, and so of its key file. */
export function isAgentName(text: string): boolean {
  return NAME.test(text);
}

/** What is wrong with any other text. */
export const AGENT_NAME_RULE =
  'The name of an agent has up to 64 letters, digits, - and _, and begins with a letter or digit.';
