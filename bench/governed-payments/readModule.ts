import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Module } from './governedAccount.ts';

export function readModule(path: string): Module {
  const wasm = readFileSync(path);
  return {
    name: basename(path, '.wasm'),
    wasm,
    hash: createHash('sha256').update(wasm).digest(),
  };
}
