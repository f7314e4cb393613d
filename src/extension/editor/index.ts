export { createActivityDocuments } from './activityDocuments.ts';
export { createAgentBudgetCommands } from './agentBudgetCommands.ts';
export { App } from './app.ts';
export { checkRouteCommand } from './checkRouteCommand.ts';
export { checkSetupCommand } from './checkSetupCommand.ts';
export { createCodeDiagnostics } from './codeDiagnostics.ts';
export { type CommandTable, registerCommands } from './commandTable.ts';
export { copy } from './copied.ts';
export { createDiscovery } from './discovery.ts';
export { explainListingCommand } from './explainListingCommand.ts';
export { exportEarnings } from './exportEarnings.ts';
export { noticeFirstPayment } from './firstNotices.ts';
export { noticeFolderLanguage } from './folderLanguage.ts';
export { watchGates } from './gateWatcher.ts';
export { installPackages } from './installOffer.ts';
export { registerLanguageModelTools } from './languageModelTools.ts';
export { copyMcpConfiguration, setUpAgents } from './mcpCommands.ts';
export { watchPackages } from './packageWatcher.ts';
export {
  addPaymentCommand,
  changePriceCommand,
  removePaymentCommand,
} from './paymentCodeCommands.ts';
export { createPaymentNotifier } from './paymentNotifier.ts';
export { createPolicyCommands } from './policyViewCommands.ts';
export { createPortSales } from './portSales.ts';
export { createChangePreview } from './previewChange.ts';
export { announceProjectSettings, reviewWorkspaceSettings } from './projectConsentCommands.ts';
export { createReportPages, explorerLink } from './reportPages.ts';
export { RequestPanel, type TestTarget } from './requestPanel/index.ts';
export { createRouteLenses, routeTarget } from './routeLenses.ts';
export { createSavedRequests } from './savedRequests.ts';
export { resetLocalNetwork, showServiceStatus, startService } from './serviceCommands.ts';
export { createStatusBar } from './statusBar.ts';
export { provideTerminalEnvironment } from './terminalEnvironment.ts';
export { createTraceDocuments } from './traceDocument.ts';
export { createWallet, explainTrustline, fundWallet, setPayTo } from './walletCommands.ts';
export { writeSetting } from './writeSetting.ts';
