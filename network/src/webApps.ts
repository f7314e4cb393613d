import { HistoryArchive } from './archive/historyArchive.ts';
import { Friendbot } from './friendbot/friendbot.ts';
import { createHorizon, Links, OpenAnswers, transactionResource } from './horizon/index.ts';
import { archiveRoute } from './http/apps/archiveRoute.ts';
import { explorerRoutes } from './http/apps/explorerRoutes.ts';
import { forkedAccounts } from './http/apps/forkedAccounts.ts';
import { friendbotRoute } from './http/apps/friendbotRoute.ts';
import { pageRoute } from './http/apps/pageRoute.ts';
import { type AnswerWeb, webListener } from './http/apps/webListener.ts';
import type { LedgerOptions } from './ledgerOptions.ts';
import type { OpenNetwork } from './openNetwork.ts';
import type { Simulator } from './simulator/index.ts';
import type { AddressNames } from './trace/index.ts';

/** Horizon, friendbot and the page of a network. */
export interface WebApps {
  readonly answer: AnswerWeb;
  /** Ends the open answers. */
  endAll(): void;
}

/**
 * @param names of accounts
 * @param contracts names of contracts
 * @param friendbotUrl the address of friendbot, once known
 */
export function webApps(
  { service, keys, passphrase, forked }: OpenNetwork,
  options: LedgerOptions,
  simulator: Simulator,
  names: AddressNames,
  contracts: AddressNames,
  friendbotUrl: () => string | null,
): WebApps {
  const friendbot = new Friendbot(service, keys.friendbot);
  const funding = friendbotRoute(friendbot, (found, baseUrl) =>
    transactionResource(new Links(baseUrl), found),
  );
  const openAnswers = new OpenAnswers();
  const horizon = createHorizon({
    service,
    passphrase,
    openAnswers,
    get friendbotUrl() {
      return friendbotUrl();
    },
    onFault: options.onFault ?? (() => {}),
  });
  const fromElsewhere = forked ? [forkedAccounts(service, forked, friendbot)] : [];
  const page = pageRoute(options.facilitatorUrl);
  const explorer = explorerRoutes({
    ...{ service, simulator, names, contracts },
    prefetch: async (dryRun) => forked?.prefetch(dryRun),
  });
  const archive = archiveRoute(new HistoryArchive(service, passphrase));
  return {
    answer: webListener([...fromElsewhere, funding, page, explorer, archive, horizon]),
    endAll: () => openAnswers.endAll(),
  };
}
