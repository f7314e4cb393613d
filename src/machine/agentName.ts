/** Folder of the agents' key files in a data folder. */
export const AGENTS_FOLDER = 'agents';

const NAME = /^[A-Za-z0-9][\w-]{0,63}$/;

/** Whether a string can be the name of an agent, and so of its key file. */
export function isAgentName(text: string): boolean {
  return NAME.test(text);
}

/** The error for any other string. */
export const AGENT_NAME_RULE =
  "An agent's name has up to 64 letters, digits, - and _, and starts with a letter or digit.";
