/** Finds this machine's programs to run for a project, so that the project cannot replace them. */
export { findProgram } from './findProgram.ts';
export { npmIn } from './npmIn.ts';
