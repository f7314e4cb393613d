#!/usr/bin/env node
import { keepCompiled } from './compiled/keepCompiled.ts';
import { runCli } from './runCli.ts';

keepCompiled();

void runCli(
  process.argv.slice(2),
  async () => (await import('./service.ts')).service,
  async () => (await import('../mcp/main.ts')).runMcp,
);
