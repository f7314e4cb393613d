/** Tools for agents, here and elsewhere. A bundle of its own, loaded when it is needed. */
export { copyConfiguration } from './copyConfiguration.ts';
export { confirmKeyFile, letAgentsPay } from './letAgentsPay.ts';
export { registerTools } from './registerTools.ts';
