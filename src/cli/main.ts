#!/usr/bin/env node
import { keepCompiled } from './compiled/keepCompiled.ts';
import { growSlowly } from './memory/growSlowly.ts';
import { runCli } from './runCli.ts';

growSlowly(process.argv[2]);
void keepCompiled(process.argv[2]).then(() =>
  runCli(
    process.argv.slice(2),
    async () => (await import('./service.ts')).service,
    async () => (await import('../mcp/main.ts')).runMcp,
  ),
);
