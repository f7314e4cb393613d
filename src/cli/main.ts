#!/usr/bin/env node
import * as nodeModule from 'node:module';
import { runCli } from './runCli.ts';

// From Node 22.1 on, what is compiled once stays compiled for the next start.
if ('enableCompileCache' in nodeModule && typeof nodeModule.enableCompileCache === 'function') {
  nodeModule.enableCompileCache();
}

void runCli(
  process.argv.slice(2),
  async () => (await import('./service.ts')).service,
  async () => (await import('../mcp/main.ts')).runMcp,
);
