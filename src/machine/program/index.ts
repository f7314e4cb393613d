/** Finds this machine's own programs to run for a project, so that the project cannot substitute others. */
export { findProgram, type ProgramCall } from './findProgram.ts';
export { npmIn } from './npmIn.ts';
