import type { Service } from './commandOptions.ts';

/**
 * The implementations of the commands. Each is loaded when it runs, so that `ledger` does not wait for the facilitator's code,
 * nor `facilitator` for the ledger's.
 */
export const service: Service = {
  runDev: async (options) => (await import('./runDev.ts')).runDev(options),
  runLedger: async (options) => (await import('./runLedger.ts')).runLedger(options),
  runFacilitator: async (options) => (await import('./runFacilitator.ts')).runFacilitator(options),
  runCreateChannels: async (options) =>
    (await import('./runCreateChannels.ts')).runCreateChannels(options),
  showStatus: async (options) =>
    (await import('./operator/facilitatorStatus.ts')).showStatus(options),
  drain: async (options) => (await import('./operator/facilitatorStatus.ts')).drain(options),
  changeCatalog: async (action, target, options) =>
    (await import('./catalog/operateCatalog.ts')).changeCatalog(action, target, options),
  listCatalogRules: async (options) =>
    (await import('./catalog/operateCatalog.ts')).listCatalogRules(options),
  listCatalogJournal: async (options, limit) =>
    (await import('./catalog/operateCatalog.ts')).listCatalogJournal(options, limit),
  compareCosts: async (before, after, options) =>
    (await import('./costs/compareCosts.ts')).compareCosts(before, after, options),
  runTrace: async (hash, options) => (await import('./trace/runTrace.ts')).runTrace(hash, options),
  payFor: async (url, options) => (await import('./pay/payFor.ts')).payFor(url, options),
  showReceipts: async (id, options) =>
    (await import('./receipts/runReceipt.ts')).showReceipts(id, options),
  verifyReceipt: async (file, options) =>
    (await import('./receipts/runReceipt.ts')).verifyReceipt(file, options),
  exportReceipt: async (id, file, options) =>
    (await import('./receipts/runReceipt.ts')).exportReceipt(id, file, options),
  runProxy: async (options) => (await import('./proxy/runProxy.ts')).runProxy(options),
  runLink: async (what, options) => (await import('./proxy/runLink.ts')).runLink(what, options),
  openPurse: async (options) => (await import('./purse/index.ts')).openPurse(options),
  grantAgent: async (options) => (await import('./agents/index.ts')).grantAgent(options),
  listAgents: async (options) => (await import('./agents/index.ts')).listAgents(options),
  topUpAgent: async (name, options) =>
    (await import('./agents/index.ts')).topUpAgent(name, options),
  rotateAgent: async (name, options) =>
    (await import('./agents/index.ts')).rotateAgent(name, options),
  revokeAgent: async (name, options) =>
    (await import('./agents/index.ts')).revokeAgent(name, options),
  fundAccount: async (address, options) =>
    (await import('./code/localAccounts.ts')).fundAccount(address, options),
  checkedPayTo: async (options, report) =>
    (await import('./code/payTo.ts')).checkedPayTo(options, report),
  checkEndpoints: async (input) => (await import('./check/index.ts')).checkEndpoints(input),
  checkUrl: async (url, method, options, report) =>
    (await import('./check/index.ts')).checkUrl(url, method, options, report),
  checkConfig: async (path, options, report) =>
    (await import('./check/index.ts')).checkConfig(path, options, report),
};
