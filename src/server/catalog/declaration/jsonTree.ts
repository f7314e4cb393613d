import { visibleText } from '../../../protocol/index.ts';

/** A JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

export interface JsonBounds {
  readonly depth: number;
  /** Values of every kind, including nested ones. */
  readonly values: number;
  /** Characters of the JSON text. */
  readonly characters: number;
}

const NAMES_OF_PROTOTYPES = new Set(['__proto__', 'constructor', 'prototype']);

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Copies an untrusted value, within bounds: only JSON values, and no name that reaches a prototype. Returns `undefined` if a
 * bound is exceeded.
 */
export function boundedJson(value: unknown, bounds: JsonBounds): Json | undefined {
  let left = bounds.values;
  let characters = bounds.characters;
  const copy = (from: unknown, depth: number): Json | undefined => {
    left -= 1;
    if (left < 0 || depth > bounds.depth || characters < 0) return undefined;
    if (from === null || typeof from === 'boolean') return from;
    if (typeof from === 'number') return Number.isFinite(from) ? from : undefined;
    if (typeof from === 'string') {
      characters -= from.length + 2;
      return from;
    }
    if (Array.isArray(from)) {
      const items: Json[] = [];
      for (const item of from) {
        const copied = copy(item, depth + 1);
        if (copied === undefined) return undefined;
        items.push(copied);
      }
      return items;
    }
    if (!isJsonObject(from)) return undefined;
    const members: [string, Json][] = [];
    for (const [name, member] of Object.entries(from)) {
      if (member === undefined) continue;
      characters -= name.length + 4;
      const copied = copy(member, depth + 1);
      if (copied === undefined) return undefined;
      if (!NAMES_OF_PROTOTYPES.has(name)) members.push([name, copied]);
    }
    return Object.fromEntries(members);
  };
  const copied = copy(value, 0);
  return characters < 0 ? undefined : copied;
}

/** Returns a copy without invisible characters in texts and names. */
export function visibleJson(json: Json): Json {
  if (typeof json === 'string') return visibleText(json);
  if (Array.isArray(json)) return json.map(visibleJson);
  return isJsonObject(json) ? visibleObject(json) : json;
}

/** The same for an object. */
export function visibleObject(object: JsonObject): JsonObject {
  const members = Object.entries(object)
    .map(([name, member]) => [visibleText(name), visibleJson(member)] as const)
    .filter(([name]) => !NAMES_OF_PROTOTYPES.has(name));
  return Object.fromEntries(members);
}
