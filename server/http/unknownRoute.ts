import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Endpoint } from '#contract/endpoint.ts';
import { ProblemError } from './problems.ts';
import { toRouteUrl } from './serve.ts';

/**
 * Watches which routes `app` gets, and gives the function that refuses a request to none of them: 405 where another
 * method would do, else 404. An address of `withheld` operations is 404 whatever else is there.
 */
export function createUnknownRouteHandler(
  app: FastifyInstance,
  withheld: readonly Endpoint[],
): (request: FastifyRequest) => never {
  const served: { method: string; path: RegExp }[] = [];
  app.addHook('onRoute', ({ method, url }) => {
    for (const each of [method].flat()) served.push({ method: each, path: pathPattern(url) });
  });
  const withheldPaths = withheld.map((endpoint) => ({
    method: endpoint.method,
    path: pathPattern(toRouteUrl(endpoint)),
  }));

  return (request) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const method = request.method === 'HEAD' ? 'GET' : request.method;
    const isWithheld = withheldPaths.some((each) => each.method === method && each.path.test(path));
    const methods = served.filter((each) => each.path.test(path)).map((each) => each.method);
    // A file of the console that was there when the service started can be gone: then its method is among them.
    if (isWithheld || methods.length === 0 || methods.includes(request.method))
      throw new ProblemError(404, 'There is nothing under this address.');
    const allowed = [...new Set(methods)].join(', ');
    throw new ProblemError(405, `This address takes ${allowed} only.`, { headers: { allow: allowed } });
  };
}

function pathPattern(url: string): RegExp {
  const segments = url.split('/').map((segment) => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)));
  return new RegExp(`^${segments.join('/')}$`);
}
