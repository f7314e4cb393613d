export { createBackOff } from './backOff.ts';
export { followLog, type LogTail } from './logTail.ts';
export { chooseRuntime, type NodeRuntime, type RuntimeChoice } from './nodeRuntime.ts';
export { isHealthy, readRunning } from './readRunning.ts';
export type { ServiceState } from './serviceState.ts';
export { inherited, SERVICE_VARIABLES } from './spawnService.ts';
export { serviceLogFile } from './startOrAttach.ts';
export { createSupervisor, type Supervisor } from './supervisor.ts';
export { versionOf } from './versionOf.ts';
