/** Tools for agents, in this editor and in other programs. A separate bundle, loaded on demand. */
export { copyConfiguration } from './copyConfiguration.ts';
export { confirmKeyFile, letAgentsPay } from './letAgentsPay.ts';
export { registerTools } from './registerTools.ts';
