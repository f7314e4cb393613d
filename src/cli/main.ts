#!/usr/bin/env node
import { runCli } from './runCli.ts';

void runCli(process.argv.slice(2), () => import('./service.ts'));
