import { Hono } from 'hono';
import { type HorizonNetwork, HorizonView } from './horizonView.ts';
import { Answers, asError, problem } from './http/answers.ts';
import { HorizonProblem } from './http/problem.ts';
import { feeStatsResource } from './resources/feeStats.ts';
import { rootResource } from './resources/root.ts';
import { accountRoutes } from './routes/accountRoutes.ts';
import { assetRoutes } from './routes/assetRoutes.ts';
import { claimableBalanceRoutes } from './routes/claimableBalanceRoutes.ts';
import { historyRoutes } from './routes/historyRoutes.ts';
import { ledgerRoutes } from './routes/ledgerRoutes.ts';
import { liquidityPoolRoutes } from './routes/liquidityPoolRoutes.ts';
import { offerRoutes } from './routes/offerRoutes.ts';
import { pathRoutes } from './routes/pathRoutes.ts';
import { tradeAggregationRoutes } from './routes/tradeAggregationRoutes.ts';
import { tradeRoutes } from './routes/tradeRoutes.ts';
import { submissionRoutes, transactionRoutes } from './routes/transactionRoutes.ts';

/**
 * The Horizon API of a network, to be mounted at `/` after everything else, because it answers unknown paths with its own 404.
 */
export function createHorizon(network: HorizonNetwork): Hono {
  const app = new Hono({ strict: false });
  const view = new HorizonView(network);
  const answers = new Answers(view);

  app.use(async (context, next) => {
    await next();
    context.res.headers.set('Latest-Ledger', String(view.history.latestSequence));
    if (!context.res.headers.has('Cache-Control')) {
      context.res.headers.set('Cache-Control', 'no-cache, no-store, max-age=0');
    }
  });
  app.get(
    '/',
    answers.object(({ links }) => rootResource(view, links)),
  );
  app.get(
    '/fee_stats',
    answers.object(() => feeStatsResource(view.history)),
  );
  // Core and database are this process, which is not in sync while it cannot store a ledger.
  app.get('/health', (context) => {
    const synced = network.service.fault === undefined;
    const health = { database_connected: true, core_up: true, core_synced: synced };
    return context.json(health, synced ? 200 : 503);
  });
  accountRoutes(app, view, answers);
  ledgerRoutes(app, view, answers);
  transactionRoutes(app, view, answers);
  historyRoutes(app, view, answers);
  pathRoutes(app, view, answers);
  offerRoutes(app, view, answers);
  tradeRoutes(app, view, answers);
  tradeAggregationRoutes(app, view, answers);
  assetRoutes(app, view, answers);
  claimableBalanceRoutes(app, view, answers);
  liquidityPoolRoutes(app, view, answers);
  submissionRoutes(app, view);

  app.all('*', () => problem(new HorizonProblem('not_found')));
  app.onError((error) => {
    if (error instanceof HorizonProblem) return problem(error);
    network.onFault?.(asError(error));
    return problem(new HorizonProblem('server_error'));
  });
  return app;
}
