/**
 * The part of the port that is served through Hono. It is loaded once the port is open, because loading takes longer than a
 * first answer.
 */
export { archiveRoute } from './archiveRoute.ts';
export { explorerRoutes } from './explorerRoutes.ts';
export { forkedAccounts } from './forkedAccounts.ts';
export { friendbotRoute } from './friendbotRoute.ts';
export { pageRoute } from './pageRoute.ts';
export { type AnswerWeb, webListener } from './webListener.ts';
