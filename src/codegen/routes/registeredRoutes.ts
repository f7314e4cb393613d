import { ts } from 'ts-morph';
import { type Bindings, constantObject, staticText } from '../source/bindings.ts';
import { bare, isFunctionNode, property } from '../source/syntax.ts';
import { type CallSite, callSites, type MethodCall, methodCalls } from './callSites.ts';
import type { FoundRoute, Registration } from './foundRoute.ts';
import { handlerFunction } from './handlerCalls.ts';
import { type Instance, instanceOf } from './instance.ts';
import { isRefusal, payablePath } from './pathPattern.ts';
import { type Refusal, refuse } from './route.ts';

const SELLABLE = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** Routes of Express and Fastify: what calls on an app, a router or an instance register. */
export function registeredRoutes(file: ts.SourceFile, bindings: Bindings): readonly FoundRoute[] {
  const lone = frameworkOfFile(file);
  const calls = methodCalls(file);
  const shorthand = callSites(calls, bindings).flatMap((site) => {
    const instance = instanceOf(site.receiver, bindings) ?? guess(site, lone, bindings);
    return instance ? [shorthandRoute(site, instance, bindings)] : [];
  });
  return [...shorthand, ...fullRoutes(calls, bindings)];
}

function shorthandRoute(site: CallSite, instance: Instance, bindings: Bindings): FoundRoute {
  const { framework } = instance;
  const last = site.rest.at(-1);
  const options =
    framework === 'fastify' && site.rest[0] ? constantObject(site.rest[0], bindings) : undefined;
  const handler = (last && handlerFunction(last, bindings)) ?? optionHandler(options, bindings);
  return registered({
    registration: {
      instance,
      receiver: site.receiver,
      call: site.call,
      methodCall: site.methodCall,
      pathExpression: site.pathExpression,
      options,
    },
    method: site.method === 'all' ? '*' : site.method.toUpperCase(),
    handler,
    bindings,
  });
}

interface Parts {
  readonly registration: Registration;
  readonly method: string;
  readonly handler: ReturnType<typeof handlerFunction>;
  readonly bindings: Bindings;
  readonly refusal?: Refusal;
}

function registered({ registration, method, handler, bindings, refusal }: Parts): FoundRoute {
  const { pathExpression, methodCall, instance } = registration;
  const text = pathExpression && staticText(pathExpression, bindings);
  const payable =
    text === undefined ? unknownPath(pathExpression) : payablePath(text, instance.framework);
  const file = methodCall.getSourceFile();
  const written = pathExpression ? `${pathExpression.getText(file)}` : '';
  return {
    framework: instance.framework,
    method,
    path: isRefusal(payable) ? (text ?? written) : payable.path,
    params: isRefusal(payable) ? [] : payable.params,
    range: routeRange(methodCall),
    handler: handler && { start: handler.getStart(file), end: handler.end },
    gated: undefined,
    confidence: instance.confidence,
    refusal: refusal ?? unsellable(method) ?? (isRefusal(payable) ? payable : undefined),
    handlerNode: handler,
    registered: registration,
    exported: undefined,
  };
}

function unsellable(method: string): Refusal | undefined {
  if (method === '*') {
    return refuse(
      'several_methods',
      'This route answers every method, so that one price would stand before all of them, preflight requests included. Register the method that is sold by itself.',
    );
  }
  return SELLABLE.has(method)
    ? undefined
    : refuse('method_not_sellable', `${method} carries no answer that could be sold.`);
}

function unknownPath(expression: ts.Expression | undefined): Refusal {
  const at = expression && bare(expression);
  if (at && ts.isRegularExpressionLiteral(at)) {
    return refuse(
      'path_not_supported',
      'The payment middleware has no regular expressions as paths.',
    );
  }
  if (at && ts.isArrayLiteralExpression(at)) {
    return refuse(
      'path_not_supported',
      'This route has several paths. Register the one that is sold by itself.',
    );
  }
  return refuse(
    'path_not_static',
    'The path of this route is not known from this file, so the payment middleware could not be given the same.',
  );
}

/** In a chain each method is a part of the chain; otherwise the whole call. */
function routeRange(call: ts.CallExpression): { start: number; end: number } {
  const callee = call.expression;
  const chained =
    ts.isPropertyAccessExpression(callee) && ts.isCallExpression(bare(callee.expression));
  return {
    start: chained ? callee.name.getStart() - 1 : call.getStart(),
    end: call.end,
  };
}

/** `fastify.route({ method, url, handler, schema })`. */
function fullRoutes(calls: readonly MethodCall[], bindings: Bindings): readonly FoundRoute[] {
  return calls.flatMap((node): readonly FoundRoute[] => {
    if (node.expression.name.text !== 'route' || node.arguments.length !== 1) return [];
    const [argument] = node.arguments;
    const options = argument && constantObject(argument, bindings);
    const method = options && property(options, 'method');
    if (!options || !method) return [];
    const pathExpression = property(options, 'url') ?? property(options, 'path');
    const receiver = node.expression.expression;
    const instance = instanceOf(receiver, bindings) ?? {
      framework: 'fastify',
      origin: 'given',
      confidence: 'likely',
    };
    if (instance.framework !== 'fastify') return [];
    const methods = methodNames(method, bindings);
    return [
      registered({
        registration: { instance, receiver, call: node, methodCall: node, pathExpression, options },
        method: methods.length === 1 && methods[0] ? methods[0] : '*',
        handler: optionHandler(options, bindings),
        bindings,
        ...(methods.length > 1
          ? {
              refusal: refuse(
                'several_methods',
                `This route answers ${methods.join(' and ')}. Register the method that is sold by itself.`,
              ),
            }
          : {}),
      }),
    ];
  });
}

function methodNames(expression: ts.Expression, bindings: Bindings): readonly string[] {
  const at = bare(expression);
  const texts = ts.isArrayLiteralExpression(at)
    ? at.elements.map((element) => staticText(element, bindings))
    : [staticText(at, bindings)];
  return texts.flatMap((text) => (text === undefined ? [] : [text.toUpperCase()]));
}

function optionHandler(
  options: ts.ObjectLiteralExpression | undefined,
  bindings: Bindings,
): ReturnType<typeof handlerFunction> {
  if (!options) return undefined;
  for (const member of options.properties) {
    if (member.name?.getText() !== 'handler') continue;
    if (ts.isMethodDeclaration(member)) return member;
    if (ts.isPropertyAssignment(member)) return handlerFunction(member.initializer, bindings);
    if (ts.isShorthandPropertyAssignment(member)) return handlerFunction(member.name, bindings);
  }
  return undefined;
}

/** The framework that a file imports, when it imports one of the two only. */
function frameworkOfFile(file: ts.SourceFile): Instance['framework'] | undefined {
  const express = /['"]express['"]|\bexpress\s*\(/.test(file.text);
  const fastify = /['"](fastify|fastify-plugin|@fastify\/[\w-]+)['"]/.test(file.text);
  if (express === fastify) return undefined;
  return express ? 'express' : 'fastify';
}

const RECEIVERS = /^(app|api|server|router|routes?|fastify|instance|\w*(Router|Routes|App|Api))$/;

/** What a receiver is by names alone: those of the handler's parameters, and its own. */
function guess(
  site: CallSite,
  lone: Instance['framework'] | undefined,
  bindings: Bindings,
): Instance | undefined {
  const likely = (framework: Instance['framework']): Instance => ({
    framework,
    origin: 'given',
    confidence: 'likely',
  });
  const path = staticText(site.pathExpression, bindings);
  if (path !== undefined && !path.startsWith('/') && path !== '*') return undefined;
  const last = site.rest.at(-1);
  const handler = last && handlerFunction(last, bindings);
  const [first = '', second = ''] = (handler?.parameters ?? []).map(({ name }) => name.getText());
  if (/^_*(reply|rep)$/.test(second)) return likely('fastify');
  if (/^_*(res|response)$/.test(second) && /^(_*(req|request)|_+|\{[\s\S]*)$/.test(first)) {
    return likely('express');
  }
  const receiver = bare(site.receiver);
  const name = ts.isPropertyAccessExpression(receiver) ? receiver.name.text : receiver.getText();
  if (!RECEIVERS.test(name) || path === undefined) return undefined;
  // A client's call has options or nothing behind the path.
  const named = site.rest.every((argument) => {
    const at = bare(argument);
    return (
      isFunctionNode(at) ||
      ts.isIdentifier(at) ||
      ts.isPropertyAccessExpression(at) ||
      ts.isCallExpression(at)
    );
  });
  if (handler === undefined && !named) return undefined;
  if (/fastify|instance/i.test(name)) return likely('fastify');
  return likely(
    lone ?? (handler !== undefined && handler.parameters.length <= 1 ? 'fastify' : 'express'),
  );
}
