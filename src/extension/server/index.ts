/** Finding and starting the server of a project. Does not import the editor's API. */
export { missingPackages, packagesInCode } from './missingPackages.ts';
export { type OpenPort, openPorts } from './openPorts.ts';
export { fileInScript, type LikelyPort, likelyPort } from './portInCode.ts';
export { lastLines } from './serverOutput.ts';
export { type ServerProcess, type ServerRun, startServerProcess } from './serverRun.ts';
export { type ServerFound, whereServed, withPort } from './whereServed.ts';
