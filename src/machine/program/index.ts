/** Finds programs of this machine to run for a project, so that the project cannot substitute its own. */
export { findProgram } from './findProgram.ts';
export { npmIn } from './npmIn.ts';
