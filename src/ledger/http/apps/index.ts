/** What of the port goes through Hono. It is loaded when the port is open, as loading it takes longer than a first answer. */
export { archiveRoute } from './archiveRoute.ts';
export { explorerRoutes } from './explorerRoutes.ts';
export { forkedAccounts } from './forkedAccounts.ts';
export { friendbotRoute } from './friendbotRoute.ts';
export { pageRoute } from './pageRoute.ts';
export { type AnswerWeb, webListener } from './webListener.ts';
